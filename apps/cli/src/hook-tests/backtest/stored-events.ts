import { type EventName, UNKNOWN_AGENT } from '@piton/contracts';
import type { Occasion } from '@piton/lifecycle';
import type { EventDetail, EventHeader, SessionDetail, Store } from '@piton/store';
import { requireSession } from '../../ids/session.ts';

/** A stored event whose body has not expired. */
export type FullEvent = EventDetail & { readonly envelope: NonNullable<EventDetail['envelope']> };

export interface StoredSession {
  readonly session: SessionDetail;
  readonly events: readonly FullEvent[];
  /** Events whose bodies were dropped because of age or size. */
  readonly expired: number;
}

const MAX_EVENTS = 1_000_000;

/** Sent by an agent: neither derived by Piton nor a canary. */
const isFromAgent = ({ derived, canary }: EventHeader): boolean => !derived && !canary;

export async function readSession(store: Store, ref: string, event?: EventName): Promise<StoredSession> {
  const session = await requireSession(store, ref);
  const query = { session: session.id, limit: MAX_EVENTS, ...(event !== undefined && { event }) };
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

/** A recorded event as the occasion of a rehearsal. */
export const occasionOfEvent = ({ agent, via, nativeEvent, projectPath, terminal, eventId, envelope }: FullEvent): Occasion => ({
  // Of an unknown agent only the registration is known: it is read through that again.
  agent: agent === UNKNOWN_AGENT ? (via.split(':')[0] ?? agent) : agent,
  ...{ nativeEvent, cwd: projectPath, terminal, eventId },
  payload: envelope.payload,
});

/** A payload that could not be parsed is stored as text. Nothing can be decided on it. */
export const isReadable = ({ envelope: { payload } }: FullEvent): boolean =>
  !(typeof payload === 'object' && payload !== null && 'piton_unreadable' in payload);
