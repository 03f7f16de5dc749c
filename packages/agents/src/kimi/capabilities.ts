import type { ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const NO_QUESTION = 'a deny: Kimi Code has no question that a hook could ask';
export const AT_A_PROMPT = { how: 'deferred', until: 'the next prompt' } as const;

const PRE_TOOL = { deny: now, ask: degraded(NO_QUESTION) } as const;

/** Where nothing that is answered has an effect: Kimi Code waits for no answer there. */
export type Unanswered =
  | Unreported
  | 'session_end'
  | 'post_tool_use'
  | 'post_tool_use_failure'
  | 'post_shell_execution'
  | 'post_mcp_execution'
  | 'post_file_edit'
  | 'todo_update'
  | 'permission_request'
  | 'subagent_start'
  | 'subagent_stop'
  | 'stop_failure'
  | 'notification';

/** What no event takes. */
export type Untaken = 'allow' | 'modify' | 'rewrite';

/** What Kimi Code 2.1.0 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: AT_A_PROMPT },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  stop: { continue: now },
  pre_compact: { replace: AT_A_PROMPT },
  post_compact: { replace: AT_A_PROMPT },
});

/** Seen in 2.1.0, with a window of 200,000 tokens: a longer text makes it compact before it asks, and is lost with that. */
export const CONTEXT_LIMITS: ContextLimits = { any: { size: 400_000, unit: 'characters', longer: 'cut' } };
