import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

const UNIVERSAL = ['continue', 'stopReason', 'suppressOutput', 'systemMessage'];
const DECIDES = [...UNIVERSAL, 'decision', 'reason'];

/** The keys that the schemas in the program allow; any other makes the whole answer void. */
const TOP: Readonly<Record<string, readonly string[]>> = {
  SessionStart: [...UNIVERSAL, 'hookSpecificOutput'],
  SubagentStart: [...UNIVERSAL, 'hookSpecificOutput'],
  UserPromptSubmit: [...DECIDES, 'hookSpecificOutput'],
  PreToolUse: [...DECIDES, 'hookSpecificOutput'],
  PostToolUse: [...DECIDES, 'hookSpecificOutput'],
  PermissionRequest: [...UNIVERSAL, 'hookSpecificOutput'],
  Stop: DECIDES,
  SubagentStop: DECIDES,
  PreCompact: UNIVERSAL,
  PostCompact: UNIVERSAL,
  Interrupt: ['systemMessage'],
};
const SPECIFIC: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['additionalContext'],
  SubagentStart: ['additionalContext'],
  UserPromptSubmit: ['additionalContext'],
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PostToolUse: ['additionalContext', 'updatedMCPToolOutput'],
  PermissionRequest: ['decision'],
};

const check = (ok: boolean, why: string): void => {
  if (!ok) throw new Error(`void: ${why}`);
};
const fieldsOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * What Codex does with a hook's output, written from the schemas of 0.166.0 and from what was seen. An answer that it would
 * void lets the tool run, so it is an error here. Shares nothing with the encoder.
 */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  check(exitCode === 0 && stderr === '', 'only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  check(event !== 'SessionEnd', 'nothing is read there');
  const answer = JSON.parse(stdout) as JsonObject;
  for (const key of Object.keys(answer)) check(TOP[event]?.includes(key) ?? false, `${key} on ${event}`);
  const { hookEventName, ...specific } = fieldsOf(answer.hookSpecificOutput);
  if (answer.hookSpecificOutput !== undefined) check(hookEventName === event, 'a wrong hookEventName');
  for (const key of Object.keys(specific)) check(SPECIFIC[event]?.includes(key) ?? false, `${key} on ${event}`);
  if (answer.decision !== undefined) check(answer.decision === 'block' && isText(answer.reason), 'a decision but block, or no reason');
  else check(answer.reason === undefined, 'a reason without a decision');

  const context = isText(specific.additionalContext) ? { context: specific.additionalContext } : {};
  if (event === 'PreToolUse') return { ...readPreTool(answer, specific), ...context };
  if (event === 'PermissionRequest') return readPermission(answer, fieldsOf(specific.decision));
  if (answer.decision !== 'block') return context;
  const reason = answer.reason as string;
  if (event === 'UserPromptSubmit') return { denied: reason };
  if (event === 'PostToolUse') return { output: reason, ...context };
  return { goesOn: reason };
}

function readPreTool(answer: JsonObject, specific: JsonObject): AgentEffect {
  const { permissionDecision, permissionDecisionReason, updatedInput } = specific;
  for (const key of ['continue', 'stopReason', 'suppressOutput']) check(!(key in answer), `${key} before a tool`);
  check(permissionDecision !== 'ask', 'ask');
  if (permissionDecision === 'deny') {
    check(isText(permissionDecisionReason), 'a deny without a reason');
    check(updatedInput === undefined, 'a new input with a deny');
    return { denied: permissionDecisionReason as string };
  }
  if (permissionDecision === 'allow') check(updatedInput !== undefined, 'a bare allow');
  else check(updatedInput === undefined, 'a new input without allow');
  return updatedInput === undefined ? {} : { input: updatedInput };
}

function readPermission(answer: JsonObject, decision: JsonObject): AgentEffect {
  for (const key of ['continue', 'stopReason', 'suppressOutput']) check(!(key in answer), `${key} at a permission request`);
  for (const key of ['updatedInput', 'updatedPermissions', 'interrupt']) check(!(key in decision), `${key} at a permission request`);
  if (decision.behavior === 'allow') return { allowed: true };
  if (decision.behavior === 'deny') return { denied: decision.message as string };
  return {};
}
