import type { ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const FEEDBACK = 'guidance that the model reads beside the result; the tool has already run';
const AFTER_SUCCESS = degraded('a new output after success only');

/** `modify` alone grants nothing: the permission request that follows is about the new input (seen in 1.0.102). */
const PRE_TOOL = { deny: now, ask: now, modify: now, replace: now } as const;
/** Of a grant before the tool only commands take notice; what else wants a permission is asked about all the same. */
const PRE_SHELL = { ...PRE_TOOL, allow: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), rewrite: now, replace: now } as const;
/** A failed tool has an event of its own that takes no output; a command that fails has not. */
const POST_KIND = { ...POST_TOOL, rewrite: AFTER_SUCCESS } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'stop_failure' | 'notification';

/** What Copilot CLI 1.0.102 honours, seen with the real program. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
  pre_tool_use: PRE_SHELL,
  pre_shell_execution: PRE_SHELL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_tool_use_failure: { deny: degraded(FEEDBACK), replace: now },
  post_shell_execution: POST_TOOL,
  post_mcp_execution: POST_KIND,
  post_file_edit: POST_KIND,
  todo_update: POST_TOOL,
  permission_request: { deny: now, ask: degraded('a deny: Copilot CLI may be set to ask nobody'), allow: now },
  subagent_start: { replace: now },
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { replace: { how: 'deferred', until: 'the next prompt or tool' } },
});

/** Seen in 1.0.102: longer results are cut without a word; a longer start or prompt does not fit the model's window, and nothing runs. */
export const CONTEXT_LIMITS: ContextLimits = {
  any: { size: 100_000, unit: 'characters', longer: 'cut' },
  post_tool_use: { size: 10_000, unit: 'characters', longer: 'cut' },
  post_tool_use_failure: { size: 10_000, unit: 'characters', longer: 'cut' },
};
