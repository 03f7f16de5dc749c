import { clockValue } from '../clock.ts';
import type { SessionChange } from '../port.ts';
import type { EventRecord, ObservationRecord } from '../records.ts';
import { foldSession } from './fold.ts';
import { factsOf, sessionEventOf } from './input.ts';
import { type CloseReason, type Effect, NEW_SESSION, type SessionEvent, type SessionState, step, type Turn } from './machine.ts';
import { mergeNames, type SessionNames } from './names.ts';

/**
 * A session while one batch is folded into it. Only values: any store loads what it has saved of a session, folds the batch,
 * gives all events where the fold asks for them (`refold`), and writes what came of it.
 */
export interface TrackedSession {
  readonly id: string;
  readonly depth: number;
  /** Null for a session that this batch begins. */
  readonly before: SessionState | null;
  state: SessionState;
  effects: Effect[];
  /** Something came that belongs before what was already counted: it must be folded from all its events. */
  refold: boolean;
  /** As this batch has them; null where it brought none. */
  names: SessionNames | null;
  /** Events that are new. */
  added: number;
}

/** What makes a session one: the agent, and its own id of it. Null for events that have none. */
export function sessionOf({ canary, envelope }: EventRecord): { readonly agent: string; readonly ref: string } | null {
  const { provider: agent, providerRef: ref } = envelope;
  return canary || ref === '' ? null : { agent, ref };
}

/** Named after the event that began it: no dice, and a replay finds the same. */
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

/** The event was there before, and says something else now. */
export function replaceEvent(session: TrackedSession, record: EventRecord): void {
  nameAfter(session, record);
  session.refold = true;
}

/** Something that is no event: it stands right behind the last thing that was seen of its session. */
export function addObservation(
  session: TrackedSession,
  { id, kind, wallUs }: Pick<ObservationRecord, 'id' | 'kind' | 'wallUs'>,
): SessionEvent['position'] {
  const { last } = session.state;
  const at = { bootId: last?.bootId ?? '', monotonicUs: (last?.monotonicUs ?? 0) + 1 };
  const position = { ...at, stamp: id, wallUs: clockValue(wallUs) };
  take(session, { position, input: { kind: kind === 'note' ? 'activity' : kind }, denied: false });
  return position;
}

/** From all its events, those of this batch included, in whatever order. */
export function refold(session: TrackedSession, events: readonly SessionEvent[]): void {
  const { state, effects } = foldSession(events);
  session.state = state;
  session.effects = [...effects];
}

export const isTouched = ({ before, state, refold: again }: TrackedSession): boolean => state !== before || again;

/** What happened to it, for whoever wants to hear of sessions. */
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

/** The turns that were closed, and the one that is open. After `refold` these are all that it has. */
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

/** What a hook started inside the session does not rename it. */
function nameAfter(session: TrackedSession, record: EventRecord): void {
  if (record.depth <= session.depth) session.names = mergeNames(session.names, record);
}
