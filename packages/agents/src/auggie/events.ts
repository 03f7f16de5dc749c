import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. `Notification` is a name that it knows, and that nothing in it fires. */
export type Unreported =
  | 'permission_request'
  | 'permission_denied'
  | 'subagent_start'
  | 'subagent_stop'
  | 'stop_failure'
  | 'pre_compact'
  | 'post_compact'
  | 'notification';

/** All events that Auggie 0.36.0 fires. A failed tool is told by `PostToolUse` as well. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  native('SessionEnd', 'session_end', 30),
  { ...native('PromptSubmit', 'user_prompt_submit', 30), since: '0.36.0' },
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('Stop', 'stop', 60),
];

export const { canonicalName, isKnown } = namesIn(EVENTS);
