import type { ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const FEEDBACK = 'context that the model reads after the result; the tool has already run';
export const NO_QUESTION = 'a deny: a question is not enforced before a tool, and the tool would run';

const PRE_TOOL = { deny: now, ask: degraded(NO_QUESTION), modify: now, replace: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'stop_failure';

/** What no event takes. */
export type Untaken = 'allow';

/** Unproven: what Cursor's documentation and the program text of its SDK say, never seen by us. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: { ...PRE_TOOL, modify: degraded('a new path: the content of a file cannot be changed') },
  post_tool_use: POST_TOOL,
  post_tool_use_failure: POST_TOOL,
  post_shell_execution: POST_TOOL,
  post_mcp_execution: { ...POST_TOOL, rewrite: degraded('a new output after success only') },
  post_file_edit: POST_TOOL,
  subagent_start: { deny: now, ask: degraded('a deny: only allow and deny are taken') },
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { replace: later },
});

/** A longer text is dropped as a whole. */
export const CONTEXT_LIMIT = 10_000;
export const CONTEXT_LIMITS: ContextLimits = { any: { size: CONTEXT_LIMIT, unit: 'characters', longer: 'cut' } };
