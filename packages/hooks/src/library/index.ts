export type { Decision, DecisionName, JsonObject, Reduced, ToolKind, TraceEntry, Verdict } from '@piton/contracts';
export { EVENTS } from '@piton/contracts';
export { type Part, reduce } from '../reduce.ts';
export type { Patterns, When } from '../when.ts';
export type { Happening } from './canonical-event.ts';
export { hooksFromContext, withHooks } from './context.ts';
export { defineHook, hookProblem } from './define-hook.ts';
export { type Fired, type FireOptions, fire } from './fire.ts';
export {
  type CommandHook,
  type Env,
  Event,
  type FunctionHook,
  type Hook,
  type HookAnswer,
  type HookCall,
  type HookFunction,
  type HookPayload,
  type HookResult,
  type ModuleHook,
} from './hook.ts';
export { matchesEvent } from './matches-event.ts';
export { run } from './run.ts';
