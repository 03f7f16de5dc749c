import { clockValue } from '../clock.ts';
import type { SessionChange } from '../port.ts';
import type { EventRecord, ObservationRecord } from '../records.ts';
import { foldSession } from './fold.ts';
import { factsOf, sessionEventOf } from './input.ts';
import { type CloseReason, type Effect, NEW_SESSION, type SessionEvent, type SessionState, step, type Turn } from './machine.ts';
import { mergeNames, type SessionNames } from './names.ts';

/**
 * A session while a batch is folded into it. Only values: a store loads the saved state, folds the batch, provides all events
 * if the fold needs them (`refold`), and writes the result.
 */
export interface TrackedSession {
  readonly id: string;
  readonly depth: number;
  /** Null for a session that begins with this batch. */
  readonly before: SessionState | null;
  state: SessionState;
  effects: Effect[];
  /** An event belongs before ones that are already counted: fold the session from all its events. */
  refold: boolean;
  /** From this batch; null if it has none. */
  names: SessionNames | null;
  /** Events that are new. */
  added: number;
}

/** The identity of a session: the agent, and its id of the session. Null for events without one. */
export function sessionOf({ canary, envelope }: EventRecord): { readonly agent: string; readonly ref: string } | null {
  const { provider: agent, providerRef: ref } = envelope;
  return canary || ref === '' ? null : { agent, ref };
}

/** The id comes from its first event: no randomness, so a replay makes the same id. */
export const beginSession = ({ eventId, depth }: EventRecord): TrackedSession => tracked(eventId, depth, NEW_SESSION, null);

export const resumeSession = (saved: { readonly id: string; readonly depth: number; readonly state: SessionState }): TrackedSession =>
  tracked(saved.id, saved.depth, saved.state, saved.state);

const tracked = (id: string, depth: number, state: SessionState, before: SessionState | null): TrackedSession => ({
  ...{ id, depth, before, state, effects: [], refold: false, names: null, added: 0 },
});

export function addEvent(session: TrackedSession, record: EventRecord): void {
  session.added += 1;
  nameAfter(session, record);
  if (!session.refold) take(session, sessionEventOf(factsOf(record), session.depth));
}

/** The event was recorded before and has changed. */
export function replaceEvent(session: TrackedSession, record: EventRecord): void {
  nameAfter(session, record);
  session.refold = true;
}

/** Something that is not an event: its position is right after the last event of its session. */
export function addObservation(
  session: TrackedSession,
  { id, kind, wallUs }: Pick<ObservationRecord, 'id' | 'wallUs'> & { readonly kind: 'crash' | 'commit' | 'note' },
): SessionEvent['position'] {
  const { last } = session.state;
  const at = { bootId: last?.bootId ?? '', monotonicUs: (last?.monotonicUs ?? 0) + 1 };
  const position = { ...at, stamp: id, wallUs: clockValue(wallUs) };
  take(session, { position, input: { kind: kind === 'note' ? 'activity' : kind }, denied: false });
  return position;
}

/** Folds all its events, including this batch, in any order. */
export function refold(session: TrackedSession, events: readonly SessionEvent[]): void {
  const { state, effects } = foldSession(events);
  session.state = state;
  session.effects = [...effects];
}

export const isTouched = ({ before, state, refold: again }: TrackedSession): boolean => state !== before || again;

/** What happened to it: started, resumed, ended. */
export function changesOf({ before, state, effects, refold: again }: TrackedSession): SessionChange['change'][] {
  const began: SessionChange['change'][] = before === null ? ['started'] : [];
  if (!again) return [...began, ...effects.flatMap(({ kind }) => (kind === 'resumed' || kind === 'ended' ? [kind] : []))];
  const phase = (before ?? NEW_SESSION).phase;
  if (phase === state.phase) return began;
  return [...began, ...(state.phase === 'ended' ? ['ended' as const] : phase === 'ended' ? ['resumed' as const] : [])];
}

export interface WrittenTurn {
  readonly turn: Turn;
  readonly endedUs: number | null;
  readonly closed: CloseReason | null;
}

/** The closed turns and the open one. After `refold` these are all turns. */
export function turnsOf({ state, effects }: TrackedSession): WrittenTurn[] {
  const closed = effects.flatMap((effect) =>
    effect.kind === 'turn-closed' ? [{ turn: effect.turn, endedUs: effect.at.wallUs, closed: effect.why }] : [],
  );
  return state.turn === null ? closed : [...closed, { turn: state.turn, endedUs: null, closed: null }];
}

function take(session: TrackedSession, event: SessionEvent): void {
  const { state, effects } = step(session.state, event);
  session.state = state;
  session.effects.push(...effects);
  if (effects.some(({ kind }) => kind === 'out-of-order')) session.refold = true;
}

/** An event from inside a hook does not change these fields. */
function nameAfter(session: TrackedSession, record: EventRecord): void {
  if (record.depth <= session.depth) session.names = mergeNames(session.names, record);
}
