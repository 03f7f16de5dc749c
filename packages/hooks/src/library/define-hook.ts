import { matcherProblem } from '../matcher.ts';
import { moduleProblem } from '../module/module-file.ts';
import { whenProblem } from '../when.ts';
import { knownEvent } from './canonical-event.ts';
import type { Hook, HookAnswer, HookCall, HookPayload } from './hook.ts';

/** What stands in the payload of an event for certain. */
type PayloadOf<E> = HookPayload &
  (E extends `${'pre' | 'post'}_${'tool_use' | 'tool_use_failure' | 'shell_execution' | 'mcp_execution' | 'read_file' | 'file_edit'}`
    ? { readonly tool_name: string; readonly tool_input: { readonly [field: string]: unknown } }
    : E extends 'user_prompt_submit' | 'pre_prompt'
      ? { readonly prompt: string }
      : unknown);

type Typed<H extends Hook> = H extends { readonly run: (...given: never[]) => unknown }
  ? Omit<H, 'run'> & { readonly run: (payload: PayloadOf<H['event']>, call: HookCall) => HookAnswer | Promise<HookAnswer> }
  : H;

/** A hook that is right, or a TypeError that says what is wrong with it. The payload of a function is typed by the event. */
export function defineHook<const E extends Hook['event']>(hook: Typed<Extract<Hook, { run: unknown }> & { event: E }>): Hook;
export function defineHook(hook: Exclude<Hook, { run: (...given: never[]) => unknown }>): Hook;
export function defineHook(hook: unknown): Hook {
  const problem = hookProblem(hook as Hook);
  if (problem !== undefined) throw new TypeError(`hook ${(hook as Hook)?.name}: ${problem}`);
  return Object.freeze({ ...(hook as Hook) });
}

/** Why a hook cannot run, or undefined. */
export function hookProblem(hook: Hook): string | undefined {
  if (typeof hook !== 'object' || hook === null || Array.isArray(hook)) return 'it is not an object';
  if (typeof hook.name !== 'string' || hook.name === '') return '"name" is not a string';
  if (knownEvent(hook.event) === undefined) return `no event is named ${String(hook.event)}`;
  const kinds = [hook.command, hook.run, hook.module].filter((kind) => kind !== undefined).length;
  if (kinds !== 1) return 'it needs one of "command", "run" and "module"';
  if (hook.command !== undefined && (typeof hook.command !== 'string' || hook.command.trim() === '')) return 'its command is empty';
  if (hook.run !== undefined && typeof hook.run !== 'function') return '"run" is not a function';
  if (hook.module !== undefined && typeof hook.module !== 'string') return '"module" is not a path';
  const unable = hook.module === undefined ? undefined : moduleProblem(hook.module);
  if (unable !== undefined) return unable;
  const { timeout } = hook;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout >= 0)) return '"timeout" is not a number of milliseconds';
  if (hook.mode !== undefined && hook.mode !== 'enforce' && hook.mode !== 'shadow') return '"mode" is neither "enforce" nor "shadow"';
  const { matcher = '' } = hook;
  if (typeof matcher !== 'string') return '"matcher" is not a string';
  return matcherProblem(matcher) ?? whenProblem(hook.when);
}
