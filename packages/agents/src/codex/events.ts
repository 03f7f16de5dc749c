import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'post_tool_use_failure' | 'permission_denied' | 'stop_failure' | 'notification';

/** All events of Codex 0.166.0. Those that have a canonical name are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  // A longer time is cut to this, with a warning at each start.
  { ...native('SessionEnd', 'session_end', 3), since: '0.145.0' },
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('PermissionRequest', 'permission_request', 60),
  native('SubagentStart', 'subagent_start', 30),
  native('SubagentStop', 'subagent_stop', 60),
  native('Stop', 'stop', 60),
  native('PreCompact', 'pre_compact', 60),
  native('PostCompact', 'post_compact', 30),

  native('Interrupt', 'other', 3),
  native('PreModelRequest', 'other', 30, 'model-events-per-request'),
  native('PostModelRequest', 'other', 30, 'model-events-per-request'),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event }) => event !== 'other' || wanted.includes(name));
}

export const { canonicalName } = namesIn(EVENTS);
