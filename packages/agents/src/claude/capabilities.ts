import type { ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';

const FEEDBACK = degraded('feedback that the model reads beside the result; the tool has already run');

/**
 * `ask` is written as if somebody can answer: without a person it becomes a deny, which `encode` reports as degraded.
 * `modify` alone grants nothing: Claude Code goes on to check its permissions for the new input (seen in 2.1.325).
 */
const PRE_TOOL = { deny: now, ask: now, allow: now, modify: now, replace: now } as const;
const POST_TOOL = { deny: FEEDBACK, rewrite: now, replace: now } as const;
/** These fire after either end, and an error can not be rewritten. */
const POST_KIND = { deny: FEEDBACK, rewrite: degraded('a new output after success only'), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = 'session_end' | 'permission_denied' | 'stop_failure' | 'notification';

/** What Claude Code 2.1.325 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_tool_use_failure: { deny: FEEDBACK, replace: now },
  post_shell_execution: POST_KIND,
  post_mcp_execution: POST_KIND,
  post_file_edit: POST_KIND,
  todo_update: POST_TOOL,
  permission_request: { deny: now, ask: degraded('the question of Claude Code itself, without the reason'), allow: now, modify: now },
  subagent_start: { replace: now },
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { deny: now, replace: later },
  post_compact: { replace: later },
});

export const CONTEXT_LIMITS: ContextLimits = {
  any: { size: 10_000, unit: 'characters', longer: { shows: 'the start, and a file with all of it' } },
};
