import type { SessionChange } from '../../port.ts';
import type { EventRecord, ObservationRecord } from '../../records.ts';
import type { SessionEvent, SessionState } from '../../sessions/machine.ts';
import {
  addEvent,
  addObservation,
  beginSession,
  changesOf,
  isTouched,
  refold,
  replaceEvent,
  resumeSession,
  sessionOf,
  type TrackedSession,
  turnsOf,
} from '../../sessions/tracked-session.ts';
import type { Row, Sql } from '../database/driver.ts';
import { sessionEventsOf } from './session-events.ts';
import { insertSession, linkSession, writeSession, writeTurns } from './session-rows.ts';

/** One that is part of what happened in its session. */
export type SessionObservation = ObservationRecord & { readonly kind: 'crash' | 'commit' | 'note' };

/** The sessions that one transaction touches: read once, folded in memory, written once. */
export interface SessionTracker {
  /** The id of the event's session, created if needed; null for events without a session. */
  sessionOf(record: EventRecord): string | null;
  inserted(record: EventRecord): void;
  superseded(record: EventRecord): void;
  /** The position of the observation in its session; undefined if there is no such session. */
  observed(observation: SessionObservation): SessionEvent['position'] | undefined;
  flush(): SessionChange[];
}

export function createSessionTracker(sql: Sql): SessionTracker {
  const byKey = new Map<string, TrackedSession>();

  function lookUp(record: EventRecord): TrackedSession | null {
    const named = sessionOf(record);
    if (named === null) return null;
    const key = `${named.agent}\0${named.ref}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const row = sql.get('SELECT id, depth, state FROM sessions WHERE agent = ? AND provider_ref = ?', named.agent, named.ref);
    const tracked = row === undefined ? beginSession(record) : resumeSession(savedOf(row));
    if (row === undefined) insertSession(sql, tracked.id, record);
    byKey.set(key, tracked);
    return tracked;
  }

  return {
    sessionOf: (record) => lookUp(record)?.id ?? null,
    inserted(record) {
      const tracked = lookUp(record);
      if (tracked === null) return;
      if (record.parentRef) linkSession(sql, tracked.id, record.envelope.provider, record.parentRef);
      addEvent(tracked, record);
    },
    superseded(record) {
      const tracked = lookUp(record);
      if (tracked !== null) replaceEvent(tracked, record);
    },
    observed(observation) {
      const row = sql.get('SELECT id, agent, provider_ref, depth, state FROM sessions WHERE id = ?', observation.session);
      if (row === undefined) return undefined;
      const tracked = resumeSession(savedOf(row));
      byKey.set(`${row.agent}\0${row.provider_ref}`, tracked);
      return addObservation(tracked, observation);
    },
    flush() {
      const changes: SessionChange[] = [];
      for (const tracked of byKey.values()) {
        if (!isTouched(tracked)) continue;
        if (tracked.refold) {
          refold(tracked, sessionEventsOf(sql, tracked.id, tracked.depth));
          sql.run('DELETE FROM turns WHERE session_id = ?', tracked.id);
        }
        writeTurns(sql, tracked.id, turnsOf(tracked));
        writeSession(sql, tracked);
        for (const change of changesOf(tracked)) changes.push(changeOf(sql, tracked.id, change));
      }
      return changes;
    },
  };
}

const savedOf = (row: Row) => ({
  id: row.id as string,
  depth: row.depth as number,
  state: JSON.parse(row.state as string) as SessionState,
});

function changeOf(sql: Sql, id: string, change: SessionChange['change']): SessionChange {
  const row = sql.get('SELECT * FROM sessions WHERE id = ?', id) as Row;
  const maybe = (name: string): string | null => row[name] as string | null;
  return {
    session: id,
    agent: row.agent as string,
    change,
    ref: row.provider_ref as string,
    projectPath: row.project_path as string,
    repo: maybe('repo'),
    branch: maybe('branch'),
    source: change === 'resumed' ? 'resume' : maybe('source'),
    reason: maybe('end_reason'),
    depth: row.depth as number,
    wallUs: (change === 'ended' ? row.ended_us : change === 'started' ? row.started_us : row.last_us) as number,
  };
}
