import type { CapabilityTable } from '@piton/contracts';

const now = { how: 'now' } as const;
const degraded = (becomes: string) => ({ how: 'degraded', becomes }) as const;
const LATER = { how: 'deferred', until: 'the next session start or prompt' } as const;

export const FEEDBACK = 'context that the model reads after the result; the tool has already run';
export const REWRITTEN = 'an error that holds the new output: the model reads it, and the person that the tool was not run';

/** `ask` is written as if somebody can answer: without a person it becomes a deny, which `encode` reports as degraded. */
const PRE_TOOL = { deny: now, ask: now } as const;
const POST_TOOL = { deny: degraded(FEEDBACK), rewrite: degraded(REWRITTEN), replace: now } as const;
const FAILED = { deny: degraded(FEEDBACK), replace: now } as const;
/** These fire after either end, and an error can not be rewritten. */
const POST_KIND = { ...POST_TOOL, rewrite: degraded(`after success only, ${REWRITTEN}`) } as const;

/** What Qwen Code 0.24.4 honours, seen with the real program unless a quirk says otherwise. The rest is `none`. */
export const CAPABILITIES: CapabilityTable = {
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
  pre_compact: { replace: LATER },
  post_compact: { replace: LATER },
};
