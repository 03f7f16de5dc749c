import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The documented form of an answer, as far as we use it. */
export interface QwenAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly systemMessage?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly decision?: { readonly behavior: string; readonly message?: string; readonly updatedInput?: JsonObject };
  };
}

const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];

/** What Qwen Code does with a hook's output, written from its program text and what was seen. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as QwenAnswer;
  const specific = answer.hookSpecificOutput ?? { hookEventName: event };
  const reason = answer.stopReason || answer.reason || '';
  const blocked = answer.decision === 'block' || answer.decision === 'deny' || answer.continue === false;
  const effects: AgentEffect[] = [];
  if (event === 'PreToolUse') {
    if (specific.permissionDecision === 'deny' || blocked) effects.push({ denied: reason || (specific.permissionDecisionReason ?? '') });
    else if (specific.permissionDecision === 'ask') effects.push({ asked: specific.permissionDecisionReason ?? '' });
  }
  if (event === 'PermissionRequest' && specific.decision?.behavior === 'deny') effects.push({ denied: specific.decision.message ?? '' });
  if (event === 'PermissionRequest' && specific.decision?.behavior === 'allow')
    effects.push({ allowed: true, input: specific.decision.updatedInput });
  if (event === 'UserPromptSubmit' && blocked) effects.push({ denied: reason });
  if ((event === 'Stop' || event === 'SubagentStop') && blocked) effects.push({ goesOn: reason });
  if (event === 'PostToolUse' && answer.continue === false) effects.push({ output: reason });
  if (event === 'PreCompact' && specific.additionalContext !== undefined) effects.push({ context: 'instructions for the summary' });
  if (TAKES_CONTEXT.includes(event) && specific.additionalContext !== undefined) effects.push({ context: specific.additionalContext });
  return Object.assign({}, ...effects);
}
