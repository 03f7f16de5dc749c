import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The forms that Copilot CLI 1.0.102 was seen to honour. */
export interface CopilotAnswer extends ToolAnswer {
  readonly behavior?: string;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly decision?: string;
  readonly reason?: string;
  readonly modifiedResult?: { readonly resultType: string; readonly textResultForLlm: string };
  readonly hookSpecificOutput?: ToolAnswer & { readonly hookEventName: string; readonly updatedInput?: JsonObject };
}
interface ToolAnswer {
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
  readonly modifiedArgs?: JsonObject;
  readonly additionalContext?: string;
}

const TAKES_CONTEXT = /^(?:sessionStart|userPromptSubmit(?:ted)?|postToolUse(?:Failure)?|subagentStart)$/i;
const CAN_BE_REFUSED = /^(?:agentStop|stop|subagentStop)$/i;

/** What Copilot CLI does with a hook's output, written from what it was seen to do. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0) throw new Error('a failed hook denies the tool, and its reason is lost');
  if (stderr !== '') throw new Error('nobody reads stderr');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as CopilotAnswer;
  if (event === 'preToolUse') return readTool(answer, answer.modifiedArgs);
  if (event === 'PreToolUse') {
    const nested = answer.hookSpecificOutput;
    if (nested !== undefined && nested.hookEventName !== event) throw new Error('a nested part for another event');
    return readTool(nested ?? answer, nested ? nested.updatedInput : answer.modifiedArgs);
  }
  const effects: AgentEffect[] = [];
  if (/^permissionRequest$/i.test(event)) {
    if (answer.behavior === 'allow') effects.push({ allowed: true });
    if (answer.behavior === 'deny') effects.push({ denied: answer.message ?? '' });
  }
  if (answer.additionalContext !== undefined && TAKES_CONTEXT.test(event)) effects.push({ context: answer.additionalContext });
  if (answer.modifiedResult !== undefined && /^postToolUse$/i.test(event)) effects.push({ output: answer.modifiedResult.textResultForLlm });
  if (answer.decision === 'block' && /^userPromptSubmit(?:ted)?$/i.test(event)) effects.push({ denied: answer.reason ?? '' });
  if (answer.decision === 'block' && CAN_BE_REFUSED.test(event)) effects.push({ goesOn: answer.reason ?? '' });
  return Object.assign({}, ...effects);
}

function readTool(
  { permissionDecision, permissionDecisionReason = '', additionalContext }: ToolAnswer,
  input: JsonObject | undefined,
): AgentEffect {
  return {
    ...(permissionDecision === 'deny' && { denied: permissionDecisionReason }),
    ...(permissionDecision === 'ask' && { asked: permissionDecisionReason }),
    ...(permissionDecision === 'allow' && { allowed: true }),
    ...(input !== undefined && permissionDecision !== 'deny' && { input }),
    ...(additionalContext !== undefined && { context: additionalContext }),
  };
}
