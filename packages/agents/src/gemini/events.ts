import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_request' | 'permission_denied' | 'subagent_start' | 'subagent_stop' | 'stop_failure' | 'post_compact';

/** All events of Gemini CLI 0.61.0. Those that have a canonical name and are not costly are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  native('SessionEnd', 'session_end', 10),
  native('BeforeAgent', 'user_prompt_submit', 30),
  native('AfterAgent', 'stop', 60),
  native('BeforeTool', 'pre_tool_use', 60),
  native('AfterTool', 'post_tool_use', 60),
  native('Notification', 'notification', 30),
  native('PreCompress', 'pre_compact', 30, 'compression-checked-before-every-request'),
  native('BeforeModel', 'other', 30, 'model-events'),
  native('AfterModel', 'other', 30, 'model-events'),
  native('BeforeToolSelection', 'other', 30, 'model-events'),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event, costly }) => wanted.includes(name) || (event !== 'other' && costly === undefined));
}

export const { canonicalName, isKnown } = namesIn(EVENTS);
