import type { SessionChange } from '../port.ts';
import type { EventRecord } from '../records.ts';
import { foldSession } from '../session-fold.ts';
import { inputOf, wasContinued, wasDenied } from '../session-input.ts';
import { type Effect, NEW_SESSION, type SessionEvent, type SessionState, step } from '../session-machine.ts';
import type { Row, Sql } from './driver.ts';
import { clockValue } from './event-row.ts';
import { sessionEventsOf } from './session-events.ts';
import { mergeNames, type SessionNames, writeSession, writeTurns } from './session-rows.ts';

interface Tracked {
  readonly id: string;
  readonly depth: number;
  readonly before: SessionState;
  state: SessionState;
  effects: Effect[];
  refold: boolean;
  names: SessionNames | null;
  added: number;
}

/** The sessions that one transaction touches: read once, stepped in memory, written once. */
export interface SessionTracker {
  /** The id of the event's session, made now if need be; null for events that have none. */
  sessionOf(record: EventRecord): string | null;
  inserted(record: EventRecord): void;
  superseded(record: EventRecord): void;
  /** Something that is no event happened in the session. */
  happened(id: string, event: (state: SessionState) => SessionEvent): boolean;
  flush(): SessionChange[];
}

export function createSessionTracker(sql: Sql): SessionTracker {
  const byKey = new Map<string, Tracked>();
  const created = new Set<Tracked>();

  function lookUp(record: EventRecord): Tracked | null {
    const { provider, providerRef } = record.envelope;
    if (record.canary || providerRef === '') return null;
    const key = `${provider}\0${providerRef}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const row = sql.get('SELECT id, depth, state FROM sessions WHERE agent = ? AND provider_ref = ?', provider, providerRef);
    const tracked =
      row === undefined ? make(record) : track(row.id as string, row.depth as number, JSON.parse(row.state as string) as SessionState);
    byKey.set(key, tracked);
    return tracked;
  }

  /** Named after the event that began it: no dice, and a replay finds the same. */
  function make(record: EventRecord): Tracked {
    const { provider, providerRef, projectPath } = record.envelope;
    const tracked = track(record.eventId, record.depth, NEW_SESSION);
    created.add(tracked);
    sql.run(
      `INSERT INTO sessions (id, agent, provider_ref, phase, depth, parent_id, project_path, started_us, last_us, events, turns, tools, denials, compactions, commits, boot_id, pid, ppid, state)
       VALUES (?, ?, ?, 'idle', ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, 0, '{}')`,
      tracked.id,
      provider,
      providerRef,
      record.depth,
      record.parentId,
      projectPath,
    );
    return tracked;
  }

  /** A subagent with a session of its own belongs to the session that called it. */
  function link({ id }: Tracked, agent: string, parentRef: string): void {
    sql.run(
      `UPDATE sessions SET parent_id = (SELECT id FROM sessions WHERE agent = ? AND provider_ref = ?) WHERE id = ? AND parent_id IS NULL`,
      agent,
      parentRef,
      id,
    );
  }

  const take = (tracked: Tracked, event: SessionEvent): void => {
    const { state, effects } = step(tracked.state, event);
    tracked.state = state;
    tracked.effects.push(...effects);
    if (effects.some(({ kind }) => kind === 'out-of-order')) tracked.refold = true;
  };

  return {
    sessionOf: (record) => lookUp(record)?.id ?? null,
    inserted(record) {
      const tracked = lookUp(record);
      if (tracked === null) return;
      tracked.added += 1;
      name(tracked, record);
      if (record.parentRef) link(tracked, record.envelope.provider, record.parentRef);
      if (!tracked.refold) take(tracked, sessionEvent(record, tracked.depth));
    },
    superseded(record) {
      const tracked = lookUp(record);
      if (tracked === null) return;
      name(tracked, record);
      tracked.refold = true;
    },
    happened(id, eventAfter) {
      const row = sql.get('SELECT id, agent, provider_ref, depth, state FROM sessions WHERE id = ?', id);
      if (row === undefined) return false;
      const tracked = track(id, row.depth as number, JSON.parse(row.state as string) as SessionState);
      byKey.set(`${row.agent}\0${row.provider_ref}`, tracked);
      take(tracked, eventAfter(tracked.state));
      return true;
    },
    flush() {
      const changes: SessionChange[] = [];
      for (const tracked of byKey.values()) {
        if (tracked.state === tracked.before && !tracked.refold) continue;
        if (tracked.refold) refold(sql, tracked);
        writeTurns(sql, tracked.id, tracked.state, tracked.effects);
        writeSession(sql, tracked.id, tracked.state, tracked.names, tracked.added);
        const say = (change: SessionChange['change']): void => void changes.push(changeOf(sql, tracked.id, change));
        if (created.has(tracked)) say('started');
        for (const change of tracked.refold ? difference(tracked) : tracked.effects.map(({ kind }) => kind)) {
          if (change === 'resumed' || change === 'ended') say(change);
        }
      }
      return changes;
    },
  };
}

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

const track = (id: string, depth: number, state: SessionState): Tracked => ({
  id,
  depth,
  before: state,
  state,
  effects: [],
  refold: false,
  names: null,
  added: 0,
});

/** What a hook started inside the session does not rename it. */
function name(tracked: Tracked, record: EventRecord): void {
  if (record.depth <= tracked.depth) tracked.names = mergeNames(tracked.names, record);
}

function sessionEvent(record: EventRecord, sessionDepth: number): SessionEvent {
  const { envelope, derived, outcome, source } = record;
  const child = record.depth > sessionDepth;
  const { event } = envelope;
  return {
    position: {
      bootId: record.bootId,
      monotonicUs: clockValue(record.monotonicUs),
      stamp: record.eventId,
      wallUs: clockValue(record.wallUs),
    },
    input: inputOf({ event, source, derived, child, continued: wasContinued(outcome) }),
    denied: wasDenied(event, derived, outcome),
  };
}

/** From all its events, sorted: something came that belongs before what was already counted. */
function refold(sql: Sql, tracked: Tracked): void {
  sql.run('DELETE FROM turns WHERE session_id = ?', tracked.id);
  const { state, effects } = foldSession(sessionEventsOf(sql, tracked.id, tracked.depth));
  tracked.state = state;
  tracked.effects = [...effects];
}

function difference({ before, state }: Tracked): ('resumed' | 'ended')[] {
  if (before.phase === state.phase) return [];
  return state.phase === 'ended' ? ['ended'] : before.phase === 'ended' ? ['resumed'] : [];
}
