import { capabilityTable, degraded, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const NO_QUESTION = 'a deny: Auggie takes no notice of a question from a hook and runs the tool';
export const FEEDBACK = 'context that the model reads after the result; the tool has already run';
export const AFTER_A_TOOL = { how: 'deferred', until: 'the end of the next tool call' } as const;

const PRE_TOOL = { deny: now, ask: degraded(NO_QUESTION), modify: now, replace: AFTER_A_TOOL } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'stop';

/** What no event takes. */
export type Untaken = 'allow' | 'rewrite' | 'continue';

/** What Auggie 0.36.0 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: AFTER_A_TOOL },
  user_prompt_submit: { replace: AFTER_A_TOOL },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_tool_use_failure: POST_TOOL,
  post_shell_execution: POST_TOOL,
  post_mcp_execution: POST_TOOL,
  post_file_edit: POST_TOOL,
  todo_update: POST_TOOL,
});
