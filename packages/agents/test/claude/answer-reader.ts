import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The documented form of an answer, as far as we use it. */
export interface ClaudeAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly systemMessage?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: ClaudeSpecific;
}
export interface ClaudeSpecific {
  readonly hookEventName: string;
  readonly additionalContext?: string;
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedToolOutput?: unknown;
  readonly decision?: {
    readonly behavior: string;
    readonly message?: string;
    readonly interrupt?: boolean;
    readonly updatedInput?: JsonObject;
  };
}

/**
 * What Claude Code does with a hook's output, written from its documentation: exit 0, a JSON object on stdout, or
 * nothing. Shares nothing with the encoder.
 */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  // Any output at all is taken as instructions for the summary, except a decision to block.
  const answer = JSON.parse(stdout) as ClaudeAnswer;
  if (event === 'PreCompact') return answer.decision === 'block' ? { denied: answer.reason ?? '' } : { context: stdout };
  if (event === 'PostCompact' || event === 'WorktreeCreate') throw new Error(`output on ${event}: ${stdout}`);
  const specific = answer.hookSpecificOutput;
  if (specific !== undefined && specific.hookEventName !== event) throw new Error('a wrong hookEventName voids the answer');
  return { ...readBlock(answer, event), ...(specific && readSpecific(specific, event)) };
}

function readBlock({ decision, reason = '' }: ClaudeAnswer, event: string): AgentEffect {
  if (decision !== 'block') return {};
  if (event === 'UserPromptSubmit') return { denied: reason };
  if (event === 'Stop' || event === 'SubagentStop') return { goesOn: reason };
  return {}; // after a tool it is feedback
}

const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart'];

function readSpecific(specific: ClaudeSpecific, event: string): AgentEffect {
  const { additionalContext, permissionDecision, permissionDecisionReason = '', updatedInput, updatedToolOutput, decision } = specific;
  const effects: AgentEffect[] = [];
  if (additionalContext !== undefined && TAKES_CONTEXT.includes(event)) effects.push({ context: additionalContext });
  if (event === 'PreToolUse') {
    if (permissionDecision === 'deny') effects.push({ denied: permissionDecisionReason });
    if (permissionDecision === 'ask') effects.push({ asked: permissionDecisionReason });
    if (permissionDecision === 'allow') effects.push({ allowed: true });
    if (updatedInput !== undefined && permissionDecision !== 'deny') effects.push({ input: updatedInput });
  }
  if (event === 'PermissionRequest' && decision?.behavior === 'deny') effects.push({ denied: decision.message ?? '' });
  if (event === 'PermissionRequest' && decision?.behavior === 'allow') effects.push({ allowed: true, input: decision.updatedInput });
  if (event === 'PostToolUse' && updatedToolOutput !== undefined) effects.push({ output: updatedToolOutput });
  return Object.assign({}, ...effects);
}
