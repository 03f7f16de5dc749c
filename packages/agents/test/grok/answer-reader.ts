import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

const fieldsOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const TAKES_CONTEXT: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

/** What Grok Build does with a hook's output, written from its guide and from what was seen of 1.0.41. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('another exit or a word on stderr is shown as a failed hook');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as JsonObject;
  const specific = fieldsOf(answer.hookSpecificOutput);
  if (answer.hookSpecificOutput !== undefined && specific.hookEventName !== event) throw new Error('a wrong hookEventName');
  if (event === 'PreToolUse') return beforeTool(answer, specific);
  if (event === 'UserPromptSubmit') {
    if (answer.decision !== 'block' || !isText(answer.reason)) throw new Error('a prompt takes a block and nothing else');
    return { denied: answer.reason };
  }
  if (event === 'Stop' || event === 'SubagentStop') {
    if (answer.continue === false) return {};
    if (specific.additionalContext !== undefined) throw new Error('context at a stop keeps the agent working');
    return answer.decision === 'block' && isText(answer.reason) ? { goesOn: answer.reason } : {};
  }
  if (!TAKES_CONTEXT.has(event)) throw new Error(`nothing has an effect on ${event}`);
  const { updatedToolOutput: output, additionalContext: context } = specific;
  if (output !== undefined && event !== 'PostToolUse') throw new Error('an error cannot be replaced');
  return { ...(isText(context) && { context }), ...(output !== undefined && { output }) };
}

function beforeTool(
  answer: JsonObject,
  { permissionDecision, permissionDecisionReason, updatedInput, additionalContext }: JsonObject,
): AgentEffect {
  if (answer.continue !== undefined) throw new Error('the end of the run has no effect before a tool');
  // 1.0.5 reads nothing else, and runs the tool without it.
  if ((answer.decision === 'deny') !== (permissionDecision === 'deny')) throw new Error('a deny that one of the versions does not read');
  if (permissionDecision === 'deny') {
    if (updatedInput !== undefined || additionalContext !== undefined) throw new Error('a deny drops what stands beside it');
    return { denied: permissionDecisionReason as string };
  }
  if (permissionDecision === 'allow') throw new Error('allow approves nothing');
  return {
    ...(permissionDecision === 'ask' && { asked: permissionDecisionReason as string }),
    ...(updatedInput !== undefined && { input: updatedInput }),
    ...(isText(additionalContext) && { context: additionalContext }),
  };
}
