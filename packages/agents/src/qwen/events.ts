import type { EventName, NativeEvent } from '@piton/contracts';

const native = (name: string, event: EventName, timeoutMs: number, costly?: string): NativeEvent => ({
  name,
  event,
  timeoutMs,
  ...(costly !== undefined && { costly }),
});

/** All events of Qwen Code 0.24.4. Those that have a canonical name and are not costly are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60_000),
  native('SessionEnd', 'session_end', 10_000),
  native('UserPromptSubmit', 'user_prompt_submit', 30_000),
  native('PreToolUse', 'pre_tool_use', 60_000),
  native('PostToolUse', 'post_tool_use', 60_000),
  native('PostToolUseFailure', 'post_tool_use_failure', 60_000),
  native('PermissionRequest', 'permission_request', 60_000),
  native('PermissionDenied', 'permission_denied', 60_000),
  native('SubagentStart', 'subagent_start', 30_000),
  native('SubagentStop', 'subagent_stop', 60_000),
  native('Stop', 'stop', 60_000),
  native('StopFailure', 'stop_failure', 30_000),
  native('PreCompact', 'pre_compact', 60_000),
  native('PostCompact', 'post_compact', 30_000),
  native('Notification', 'notification', 30_000),

  native('MessageDisplay', 'other', 10_000, 'costly-events'),
  native('PostToolBatch', 'other', 15_000, 'costly-events'),
  native('TodoCreated', 'other', 30_000, 'todos-said-four-times'),
  native('TodoCompleted', 'other', 30_000, 'todos-said-four-times'),

  native('UserPromptExpansion', 'other', 30_000),
  native('SessionDelete', 'other', 30_000),
  native('InstructionsLoaded', 'other', 30_000),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event, costly }) => wanted.includes(name) || (event !== 'other' && costly === undefined));
}

const BY_NAME: ReadonlyMap<string, NativeEvent> = new Map(EVENTS.map((event) => [event.name, event]));

/** An event that we do not know is still delivered and recorded. */
export const canonicalName = (nativeEvent: string): EventName => BY_NAME.get(nativeEvent)?.event ?? 'other';
export const isKnown = (nativeEvent: string): boolean => BY_NAME.has(nativeEvent);
