import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const FEEDBACK = 'a reason that the model reads; the tool has already run';

const PRE_TOOL = { deny: now, ask: now, allow: now, modify: now, replace: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported;

/** What no event takes. */
export type Untaken = 'rewrite';

/** Unproven: what the documentation and the source of VS Code say, never seen by us. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_shell_execution: POST_TOOL,
  post_mcp_execution: POST_TOOL,
  post_file_edit: POST_TOOL,
  todo_update: POST_TOOL,
  subagent_start: { replace: now },
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { replace: later },
});
