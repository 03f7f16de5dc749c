import type { ContextLimit, ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';

export const FEEDBACK = 'context that the model reads after the result; the tool has already run';
export const REWRITTEN = 'an error that holds the new output: the model reads it, and the person that the tool was not run';

/** `ask` is written as if somebody can answer: without a person it becomes a deny, which `encode` reports as degraded. */
const PRE_TOOL = { deny: now, ask: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), rewrite: degraded(REWRITTEN), replace: now } as const;
const FAILED = { deny: degraded(FEEDBACK), replace: now } as const;
/** These fire after either end, and an error can not be rewritten. */
const POST_KIND = { ...POST_TOOL, rewrite: degraded(`after success only, ${REWRITTEN}`) } as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = 'session_end' | 'permission_denied' | 'subagent_start' | 'stop_failure' | 'notification';

/** What Qwen Code 0.24.4 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES = capabilityTable<Unanswered>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person can send the prompt again'), replace: now },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_TOOL,
  post_tool_use: POST_TOOL,
  post_tool_use_failure: FAILED,
  post_shell_execution: POST_KIND,
  post_mcp_execution: POST_KIND,
  post_file_edit: POST_KIND,
  todo_update: POST_TOOL,
  permission_request: { deny: now, ask: degraded('the question of Qwen Code itself, without the reason'), allow: now, modify: now },
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { replace: later },
  post_compact: { replace: later },
});

/** Seen in 0.24.4: with a megabyte at the start nothing runs. */
const BESIDE_RESULT: ContextLimit = { size: 60_000, unit: 'characters', longer: { shows: 'the start and the end' } };
export const CONTEXT_LIMITS: ContextLimits = {
  any: { size: 100_000, unit: 'characters', longer: 'cut' },
  post_tool_use: BESIDE_RESULT,
  post_tool_use_failure: BESIDE_RESULT,
};
