import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

const fieldsOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What Auggie does with a hook's output, written from what was seen and read of 0.36.0. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '')
    throw new Error('exit 2 would refuse with what is on stderr, and the person reads any other word there');
  if (stdout === '') return {};
  if (!stdout.startsWith('{')) throw new Error('plain text is shown to the person');
  const answer = JSON.parse(stdout) as JsonObject;
  const odd = Object.keys(answer).filter((key) => !['hookSpecificOutput', 'systemMessage'].includes(key));
  if (odd.length > 0) throw new Error(`without an effect: ${odd.join(', ')}`);
  if (answer.systemMessage !== undefined && event === 'SessionEnd') throw new Error('nobody is there to read it');
  if (answer.hookSpecificOutput === undefined) return {};
  const { hookEventName, permissionDecision, permissionDecisionReason, updatedInput, additionalContext } = fieldsOf(
    answer.hookSpecificOutput,
  );
  if (hookEventName !== event) throw new Error('an answer for another event is dropped');
  if (event === 'PreToolUse') {
    if (additionalContext !== undefined) throw new Error('has no effect before a tool');
    if (permissionDecision === 'deny') {
      if (!isText(permissionDecisionReason)) throw new Error('a deny without a reason');
      return { denied: permissionDecisionReason };
    }
    if (permissionDecision !== undefined) throw new Error('grants and asks nothing');
    return updatedInput === undefined ? {} : { input: fieldsOf(updatedInput) };
  }
  if (event === 'PostToolUse') return isText(additionalContext) ? { context: additionalContext } : {};
  throw new Error(`nothing has an effect on ${event}`);
}
