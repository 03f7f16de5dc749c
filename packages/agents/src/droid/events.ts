import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported =
  | 'post_tool_use_failure'
  | 'permission_request'
  | 'permission_denied'
  | 'subagent_start'
  | 'stop_failure'
  | 'post_compact';

/** All events of Droid 0.215.0. */
export const EVENTS: readonly NativeEvent[] = [
  // Droid waits no longer than this for all of them; what comes later is too late for the first request.
  native('SessionStart', 'session_start', 30),
  native('SessionEnd', 'session_end', 30),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('SubagentStop', 'subagent_stop', 30),
  native('Stop', 'stop', 60),
  native('PreCompact', 'pre_compact', 30),
  native('Notification', 'notification', 30),
];

export const { canonicalName } = namesIn(EVENTS);
