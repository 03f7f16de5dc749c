import type { ContextLimit, ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

export const FEEDBACK = 'context that the model reads after the result; the tool has already run';
export const REWRITTEN = 'an error that holds the new output: the model reads it as a failed call';

/** `ask` is written as if somebody can answer: without a person it becomes a deny, which `encode` reports as degraded. */
const PRE_TOOL = { deny: now, ask: now, modify: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), rewrite: degraded(REWRITTEN), replace: now } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end' | 'notification';

/** What no event takes. */
export type Untaken = 'allow';

/** What Gemini CLI 0.61.0 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered, Untaken>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
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
  stop: { continue: now },
  pre_compact: { replace: later },
});

/** Beside the result of a tool; a megabyte at the start or at a prompt arrives whole. */
const BESIDE_RESULT: ContextLimit = { size: 40_000, unit: 'characters', longer: { shows: 'the start and the end' } };
export const CONTEXT_LIMITS: ContextLimits = { post_tool_use: BESIDE_RESULT, post_tool_use_failure: BESIDE_RESULT };
