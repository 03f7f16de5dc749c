import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

const ASKED = degraded('a deny: the extension puts no question to the person');
const PRE_TOOL = {
  deny: now,
  ask: ASKED,
  modify: now,
  replace: degraded('a text beside the result of the tool, once it has run'),
} as const;
const POST_TOOL = {
  deny: degraded('feedback that the model reads beside the result; the tool has already run'),
  rewrite: now,
  replace: now,
} as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'stop_failure' | 'permission_request' | 'permission_denied' | 'subagent_stop';

/** What oh-my-pi 18.2.3 does with the extension's answers, seen with the real program. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, 'allow'>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: ASKED, replace: now },
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
  subagent_start: { replace: now },
  stop: { continue: now },
  pre_compact: { deny: now, replace: now },
  post_compact: { replace: later },
});
