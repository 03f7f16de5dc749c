import type { EventName, NativeEvent } from '@piton/contracts';

const native = (name: string, event: EventName, timeoutMs: number, costly?: string): NativeEvent => ({
  name,
  event,
  timeoutMs,
  ...(costly !== undefined && { costly }),
});

/** All events of Gemini CLI 0.61.0. Those that have a canonical name and are not costly are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60_000),
  native('SessionEnd', 'session_end', 10_000),
  native('BeforeAgent', 'user_prompt_submit', 30_000),
  native('AfterAgent', 'stop', 60_000),
  native('BeforeTool', 'pre_tool_use', 60_000),
  native('AfterTool', 'post_tool_use', 60_000),
  native('Notification', 'notification', 30_000),
  native('PreCompress', 'pre_compact', 30_000, 'compression-checked-before-every-request'),
  native('BeforeModel', 'other', 30_000, 'model-events'),
  native('AfterModel', 'other', 30_000, 'model-events'),
  native('BeforeToolSelection', 'other', 30_000, 'model-events'),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event, costly }) => wanted.includes(name) || (event !== 'other' && costly === undefined));
}

const BY_NAME: ReadonlyMap<string, NativeEvent> = new Map(EVENTS.map((event) => [event.name, event]));

/** An event that we do not know is still delivered and recorded. */
export const canonicalName = (nativeEvent: string): EventName => BY_NAME.get(nativeEvent)?.event ?? 'other';
export const isKnown = (nativeEvent: string): boolean => BY_NAME.has(nativeEvent);
