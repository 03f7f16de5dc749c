import type { EventName, NativeEvent } from '@piton/contracts';

/** A native event, with the timeout that `init` writes in seconds. */
export const native = (name: string, event: EventName, seconds: number, costly?: string): NativeEvent => ({
  name,
  event,
  timeoutMs: seconds * 1000,
  ...(costly !== undefined && { costly }),
});

/** An event that we do not know is still delivered and recorded. */
export function namesIn(events: readonly NativeEvent[]) {
  const byName: ReadonlyMap<string, EventName> = new Map(events.map(({ name, event }) => [name, event]));
  return {
    canonicalName: (nativeEvent: string): EventName => byName.get(nativeEvent) ?? 'other',
    isKnown: (nativeEvent: string): boolean => byName.has(nativeEvent),
  };
}
