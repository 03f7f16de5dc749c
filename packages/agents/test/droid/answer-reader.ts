import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

const fieldsOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What Droid does with a hook's output, written from what was seen and read of 0.215.0. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('another exit or a word on stderr goes to the model');
  if (stdout === '') return {};
  if (!stdout.startsWith('{')) throw new Error('plain text is context at session start and prompt');
  const answer = JSON.parse(stdout) as JsonObject;
  const { hookEventName, permissionDecision, permissionDecisionReason, updatedInput, additionalContext } = fieldsOf(
    answer.hookSpecificOutput,
  );
  if (answer.hookSpecificOutput !== undefined && hookEventName !== event) throw new Error('a wrong hookEventName');
  if (answer.decision !== undefined && event !== 'Stop') throw new Error(`a block has no effect on ${event}`);
  const ends = answer.continue === false;

  if (event === 'PreToolUse') {
    if (additionalContext !== undefined || permissionDecision === 'ask') throw new Error('has no effect before a tool');
    if (permissionDecision === 'deny') return { denied: permissionDecisionReason as string };
    return { ...(permissionDecision === 'allow' && { allowed: true }), ...(updatedInput !== undefined && { input: updatedInput }) };
  }
  if (event === 'UserPromptSubmit' && ends) return { denied: answer.stopReason as string };
  if (event === 'Stop') return !ends && answer.decision === 'block' ? { goesOn: answer.reason as string } : {};
  const takesContext = ['SessionStart', 'UserPromptSubmit', 'PostToolUse'].includes(event);
  return takesContext && isText(additionalContext) ? { context: additionalContext } : {};
}
