import type { ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const FEEDBACK = 'context that the model reads after the result; the tool has already run';
export const ENDS_RUN = 'the end of the whole run: Cline has no smaller deny for this tool, and the model never hears why';
export const NO_QUESTION = 'a deny: Cline has no question that a hook could ask';

const PRE_TOOL = { deny: now, ask: degraded(NO_QUESTION), modify: now, replace: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered =
  | Unreported
  | 'session_end'
  | 'user_prompt_submit'
  | 'subagent_start'
  | 'subagent_stop'
  | 'stop'
  | 'stop_failure'
  | 'pre_compact';

/** What no event takes. */
export type Untaken = 'allow' | 'rewrite' | 'continue';

/** What Cline CLI 3.0.65 honours, seen with the real program. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: { how: 'deferred', until: 'the first tool call' } },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: { ...PRE_TOOL, deny: degraded(ENDS_RUN), ask: degraded(ENDS_RUN) },
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_tool_use_failure: POST_TOOL,
  post_shell_execution: POST_TOOL,
  post_mcp_execution: POST_TOOL,
  post_file_edit: POST_TOOL,
});

/** Cline cuts a longer text without a word. */
export const CONTEXT_LIMITS: ContextLimits = { any: { size: 50_000, unit: 'characters', longer: 'cut' } };
