import type { EventName, NativeEvent } from '@piton/contracts';

const SECOND = 1000;

const native = (name: string, event: EventName, seconds: number, costly?: string): NativeEvent => ({
  name,
  event,
  timeoutMs: seconds * SECOND,
  ...(costly !== undefined && { costly }),
});

/** All events of Codex 0.166.0. Those that have a canonical name are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  // A longer time is cut to this, with a warning at each start.
  native('SessionEnd', 'session_end', 3),
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

const BY_NAME: ReadonlyMap<string, NativeEvent> = new Map(EVENTS.map((event) => [event.name, event]));

/** An event that we do not know is still delivered and recorded. */
export const canonicalName = (nativeEvent: string): EventName => BY_NAME.get(nativeEvent)?.event ?? 'other';
