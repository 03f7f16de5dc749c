import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

const NO_QUESTION = degraded('a deny: Droid takes no notice of a question from a hook and runs the tool');
/** `modify` alone grants nothing: Droid judges the risk of the new input (seen in 0.215.0). */
const PRE_TOOL = { deny: now, ask: NO_QUESTION, allow: now, modify: now } as const;
const POST_TOOL = { deny: degraded('context that the model reads beside the result; the tool has already run'), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'subagent_stop' | 'notification';

/** What no event takes. */
export type Untaken = 'rewrite';

/** What Droid 0.215.0 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
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
  stop: { continue: now },
  pre_compact: { replace: later },
});
