import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

const fieldsOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {});

/** What Kimi Code does with a hook's output, written from what was seen of 2.1.0 and from its program. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('exit 2 would block with what is on stderr, and another exit drops the answer');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as JsonObject;
  const { permissionDecision, permissionDecisionReason: reason, ...rest } = fieldsOf(answer.hookSpecificOutput);
  if (Object.keys(rest).some((key) => key !== 'hookEventName')) throw new Error('nothing but a deny counts');
  const isDeny = permissionDecision === 'deny';
  if (permissionDecision !== undefined && (!isDeny || typeof reason !== 'string' || reason === ''))
    throw new Error('only a deny with a reason is one');
  if (event === 'UserPromptSubmit') {
    if (isDeny)
      return answer.message === undefined ? { denied: reason as string } : fail('the message would stand in the place of the reason');
    return typeof answer.message === 'string' ? { context: answer.message } : fail('the model would read the object');
  }
  if (answer.message !== undefined) throw new Error(`a message has no effect on ${event}`);
  if (event === 'PreToolUse') return isDeny ? { denied: reason as string } : fail('an answer without an effect');
  if (event === 'Stop') return isDeny ? { goesOn: reason as string } : fail('an answer without an effect');
  return fail(`nothing has an effect on ${event}`);
}

function fail(why: string): never {
  throw new Error(why);
}
