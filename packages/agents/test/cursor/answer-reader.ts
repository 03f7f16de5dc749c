import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The documented form of an answer, as far as we use it. */
export interface CursorAnswer {
  readonly permission?: string;
  readonly user_message?: string;
  readonly agent_message?: string;
  readonly updated_input?: JsonObject;
  readonly additional_context?: string;
  readonly updated_mcp_tool_output?: unknown;
  readonly continue?: boolean;
  readonly followup_message?: string;
}

const TAKES_CONTEXT = ['sessionStart', 'beforeSubmitPrompt', 'preToolUse', 'postToolUse', 'postToolUseFailure'];

/** What Cursor is documented to do with a hook's output. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as CursorAnswer;
  const effects: AgentEffect[] = [];
  if (event === 'preToolUse' || event === 'subagentStart') {
    if (answer.permission === 'deny') effects.push({ denied: answer.user_message ?? '' });
    else if (answer.updated_input !== undefined && event === 'preToolUse') effects.push({ input: answer.updated_input });
  }
  if (event === 'beforeSubmitPrompt' && answer.continue === false) effects.push({ denied: answer.user_message ?? '' });
  const { additional_context: context } = answer;
  if (context !== undefined && context.length <= 10_000 && TAKES_CONTEXT.includes(event)) effects.push({ context });
  if (answer.followup_message !== undefined && /^(?:stop|subagentStop)$/.test(event)) effects.push({ goesOn: answer.followup_message });
  return Object.assign({}, ...effects);
}
