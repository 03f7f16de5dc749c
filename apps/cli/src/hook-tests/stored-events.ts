import type { EventName } from '@piton/contracts';
import type { Occasion } from '@piton/lifecycle';
import type { EventDetail, EventHeader, SessionDetail, Store } from '@piton/store';
import { requireOne } from '../unique-match.ts';

/** An event of a session with all that is stored of it; its payload is there. */
export type FullEvent = EventDetail & { readonly envelope: NonNullable<EventDetail['envelope']> };

export interface StoredSession {
  readonly session: SessionDetail;
  readonly events: readonly FullEvent[];
  /** Events whose bodies were dropped by age or size. */
  readonly expired: number;
}

const MOST = 1_000_000;

/** What an agent really said: neither made by us nor sent to prove delivery. */
const isFromAgent = ({ derived, canary }: EventHeader): boolean => !derived && !canary;

export async function readSession(store: Store, ref: string, event?: EventName): Promise<StoredSession> {
  const session = requireOne(await store.session(ref), 'session', ref);
  const query = { session: session.id, limit: MOST, ...(event !== undefined && { event }) };
  const headers = [...(await store.events(query))].reverse().filter(isFromAgent);
  const events: FullEvent[] = [];
  for (const header of headers) {
    const whole = await readFullEvent(store, header);
    if (whole !== undefined) events.push(whole);
  }
  return { session, events, expired: headers.length - events.length };
}

export async function readFullEvent(store: Store, { eventId }: Pick<EventHeader, 'eventId'>): Promise<FullEvent | undefined> {
  const found = await store.event(eventId);
  if (found.found !== 'one' || found.value.envelope === null) return undefined;
  return { ...found.value, envelope: found.value.envelope };
}

/** A recorded event, to happen once more. */
export const occasionOfEvent = ({ agent, nativeEvent, projectPath, terminal, eventId, envelope }: FullEvent): Occasion => ({
  ...{ agent, nativeEvent, cwd: projectPath, terminal, eventId },
  payload: envelope.payload,
});

/** A payload that could not be parsed is kept as a piece of text: nothing can be decided by it. */
export const isReadable = ({ envelope: { payload } }: FullEvent): boolean =>
  !(typeof payload === 'object' && payload !== null && 'piton_unreadable' in payload);
