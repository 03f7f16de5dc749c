import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The documented form of an answer, as far as we use it. */
export interface VscodeAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly updatedInput?: JsonObject;
    readonly additionalContext?: string;
    readonly decision?: string;
    readonly reason?: string;
  };
}

/** What VS Code is documented to do with a hook's output. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  const { decision, reason = '', hookSpecificOutput: nested } = JSON.parse(stdout) as VscodeAnswer;
  if (nested !== undefined && nested.hookEventName !== event) throw new Error('a wrong hookEventName strips the nested part');
  const effects: AgentEffect[] = [];
  if (event === 'UserPromptSubmit' && decision === 'block') effects.push({ denied: reason });
  if (/^(?:Stop|SubagentStop)$/.test(event) && nested?.decision === 'block') effects.push({ goesOn: nested.reason ?? '' });
  if (event === 'PreToolUse') {
    const why = nested?.permissionDecisionReason ?? '';
    if (nested?.permissionDecision === 'deny') effects.push({ denied: why });
    if (nested?.permissionDecision === 'ask') effects.push({ asked: why });
    if (nested?.permissionDecision === 'allow') effects.push({ allowed: true });
    if (nested?.updatedInput !== undefined) effects.push({ input: nested.updatedInput });
  }
  if (nested?.additionalContext !== undefined && event !== 'PreCompact') effects.push({ context: nested.additionalContext });
  return Object.assign({}, ...effects);
}
