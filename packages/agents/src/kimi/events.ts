import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_denied';

/** All events of Kimi Code 2.1. Its configuration does not load with a name that it does not know. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  native('SessionEnd', 'session_end', 30),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('PostToolUseFailure', 'post_tool_use_failure', 60),
  native('PermissionRequest', 'permission_request', 30),
  native('SubagentStart', 'subagent_start', 30),
  native('SubagentStop', 'subagent_stop', 30),
  native('Stop', 'stop', 60),
  native('StopFailure', 'stop_failure', 30),
  native('PreCompact', 'pre_compact', 60),
  native('PostCompact', 'post_compact', 30),
  native('Notification', 'notification', 30),

  native('SessionHeartbeat', 'other', 10),
  native('UserPromptQueued', 'other', 10),
  native('TurnStarted', 'other', 10),
  native('PermissionResult', 'other', 10),
  native('TaskStarted', 'other', 10),
  native('Interrupt', 'other', 10),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event }) => event !== 'other' || wanted.includes(name));
}

export const { canonicalName, isKnown } = namesIn(EVENTS);
