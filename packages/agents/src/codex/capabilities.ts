import type { Agent, ContextLimits } from '@piton/contracts';
import { capabilityTable, degraded, later, now } from '../shared/agent-table.ts';
import type { Unreported } from './events.ts';

const NO_QUESTION = degraded('a deny: Codex takes a question from a hook for a failure and runs the tool');

const PRE_TOOL = { deny: now, ask: NO_QUESTION, modify: now, replace: now } as const;
/** A patch may touch several files, and a hook sees one of them: what it wrote for that one is no patch. */
const PRE_EDIT = { deny: now, ask: NO_QUESTION, replace: now } as const;
const POST_TOOL = {
  deny: degraded('what the model reads instead of the result; the tool has already run'),
  rewrite: now,
  replace: now,
} as const;

/** Where nothing that is answered has an effect. */
export type Unanswered = Unreported | 'session_end';

/** What Codex 0.166.0 honours. The rest is `none`. `allow` before a tool is among it: bare, it is a failed hook. */
export const CAPABILITIES = capabilityTable<Unanswered>()({
  session_start: { replace: now },
  user_prompt_submit: { deny: now, ask: degraded('a deny: the person reads the reason and can send the prompt again'), replace: now },
  pre_tool_use: PRE_TOOL,
  pre_shell_execution: PRE_TOOL,
  pre_mcp_execution: PRE_TOOL,
  pre_read_file: PRE_TOOL,
  pre_file_edit: PRE_EDIT,
  post_tool_use: POST_TOOL,
  post_shell_execution: POST_TOOL,
  post_mcp_execution: POST_TOOL,
  post_file_edit: POST_TOOL,
  todo_update: POST_TOOL,
  permission_request: { deny: now, ask: degraded('the question of Codex itself, without the reason'), allow: now },
  subagent_start: { replace: now },
  subagent_stop: { continue: now },
  stop: { continue: now },
  pre_compact: { deny: degraded('the end of the turn: Codex cannot go on without the compaction'), replace: later },
  post_compact: { replace: later },
});

/** Codex counts four bytes as a token, and shows 2,500. */
export const CONTEXT_LIMITS: ContextLimits = {
  any: { size: 10_000, unit: 'bytes', longer: { shows: 'the start and the end, and a file with all of it' } },
};

/** It has no tool that reads a text. */
export const PARTIAL: NonNullable<Agent['partial']> = { pre_read_file: 'images alone: it reads other files by shell commands' };
