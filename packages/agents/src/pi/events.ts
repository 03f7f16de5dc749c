import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_request' | 'permission_denied' | 'subagent_start' | 'subagent_stop' | 'todo_update' | 'notification';

/** What the extension sends to Piton; `.error` is the same event of a tool or a run that failed. pi waits for a handler without end, so the times are ours. */
export const EVENTS: readonly NativeEvent[] = [
  native('session_start', 'session_start', 60),
  native('input', 'user_prompt_submit', 30),
  native('tool_call', 'pre_tool_use', 60),
  native('tool_result', 'post_tool_use', 60),
  native('tool_result.error', 'post_tool_use_failure', 60),
  native('agent_before_settle', 'stop', 60),
  native('agent_before_settle.error', 'stop_failure', 30),
  native('session_before_compact', 'pre_compact', 60),
  native('session_compact', 'post_compact', 30),
  native('session_shutdown', 'session_end', 5),
];

export const { canonicalName } = namesIn(EVENTS);
