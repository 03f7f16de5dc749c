import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** All events of Qwen Code 0.24.4. Those that have a canonical name and are not costly are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  native('SessionEnd', 'session_end', 10),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('PostToolUseFailure', 'post_tool_use_failure', 60),
  native('PermissionRequest', 'permission_request', 60),
  native('PermissionDenied', 'permission_denied', 60),
  native('SubagentStart', 'subagent_start', 30),
  native('SubagentStop', 'subagent_stop', 60),
  native('Stop', 'stop', 60),
  native('StopFailure', 'stop_failure', 30),
  native('PreCompact', 'pre_compact', 60),
  native('PostCompact', 'post_compact', 30),
  native('Notification', 'notification', 30),

  native('MessageDisplay', 'other', 10, 'costly-events'),
  native('PostToolBatch', 'other', 15, 'costly-events'),
  native('TodoCreated', 'other', 30, 'todos-said-four-times'),
  native('TodoCompleted', 'other', 30, 'todos-said-four-times'),

  native('UserPromptExpansion', 'other', 30),
  native('SessionDelete', 'other', 30),
  native('InstructionsLoaded', 'other', 30),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event, costly }) => wanted.includes(name) || (event !== 'other' && costly === undefined));
}

export const { canonicalName, isKnown } = namesIn(EVENTS);
