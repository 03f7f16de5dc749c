import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'notification';

/**
 * What the extension sends to Piton. `.error` is the same event of a tool or a turn that failed, `.child` that of a subagent's session.
 * oh-my-pi gives a handler 30 seconds, and 2 at the end of a session.
 */
export const EVENTS: readonly NativeEvent[] = [
  native('session_start', 'session_start', 25),
  native('session_switch', 'session_start', 25),
  native('session_start.child', 'subagent_start', 25),
  native('before_agent_start', 'user_prompt_submit', 25),
  native('tool_call', 'pre_tool_use', 25),
  native('tool_approval_requested', 'permission_request', 25),
  native('tool_approval_resolved', 'permission_denied', 25),
  native('tool_result', 'post_tool_use', 25),
  native('tool_result.error', 'post_tool_use_failure', 25),
  native('session_stop', 'stop', 25),
  native('session_stop.error', 'stop_failure', 25),
  native('agent_end.child', 'subagent_stop', 25),
  native('session_before_compact', 'pre_compact', 25),
  native('session_compact', 'post_compact', 25),
  native('session_shutdown', 'session_end', 1.5),
];

export const { canonicalName } = namesIn(EVENTS);
