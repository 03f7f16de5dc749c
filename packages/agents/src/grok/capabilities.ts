import type { ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const FEEDBACK = 'context that the model reads beside the result; the tool has already run';
export const AT_A_TOOL = { how: 'deferred', until: 'the next tool call' } as const;

/** `ask` is written as if somebody can answer: without a person, or where all is approved, it becomes a deny. */
const PRE_TOOL = { deny: now, ask: now, modify: now, replace: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), rewrite: now, replace: now } as const;
/** These fire after either end, and an error can not be rewritten. */
const POST_KIND = { ...POST_TOOL, rewrite: degraded('a new output after success only') } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'permission_denied' | 'subagent_start' | 'stop_failure' | 'notification';

/** What no event takes: `allow` before a tool skips no question of Grok Build's own. */
export type Untaken = 'allow';

/** What Grok Build 1.0.41 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: AT_A_TOOL },
  user_prompt_submit: {
    deny: now,
    ask: degraded('a deny: the person reads the reason and can send the prompt again'),
    replace: AT_A_TOOL,
  },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_tool_use_failure: { deny: degraded(FEEDBACK), replace: now },
  post_shell_execution: POST_KIND,
  post_mcp_execution: POST_KIND,
  post_file_edit: POST_KIND,
  todo_update: POST_TOOL,
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { replace: AT_A_TOOL },
  post_compact: { replace: AT_A_TOOL },
});

/** Grok Build cuts a longer text, and says how much is missing. */
export const CONTEXT_LIMITS: ContextLimits = { any: { size: 10_000, unit: 'characters', longer: 'cut' } };
