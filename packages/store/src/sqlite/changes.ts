import type { Change, Changed, ChangeKind, ChangePosition } from '../changes.ts';
import type { Row, Sql } from './database/driver.ts';
import { pitonEventById } from './piton-events.ts';
import { pushBySeq } from './pushes.ts';
import { eventById } from './query.ts';
import { observationById, sessionById } from './sessions/session-query.ts';
import { transcriptById } from './transcripts/transcripts.ts';

export function queryChanges(sql: Sql, after: number, limit: number): readonly Change[] {
  const old = after < originOf(sql) ? oldEvents(sql, after, limit) : [];
  return old.length < limit ? [...old, ...numbered(sql, after, limit - old.length)] : old;
}

const originOf = (sql: Sql): number => sql.get('SELECT events FROM change_origin')?.events as number;

/** Events from before the change sequence, unless they have changed since. */
const oldEvents = (sql: Sql, after: number, limit: number): Change[] =>
  sql
    .all(
      `SELECT e.seq, e.event_id FROM events e WHERE e.seq > ? AND e.seq <= (SELECT events FROM change_origin)
       AND NOT EXISTS (SELECT 1 FROM changes WHERE kind = 'event' AND ref = e.seq) ORDER BY e.seq LIMIT ?`,
      after,
      limit,
    )
    .map((row) => ({ seq: row.seq as number, kind: 'event', id: row.event_id as string }));

const numbered = (sql: Sql, after: number, limit: number): Change[] =>
  sql
    .all(
      `SELECT seq, kind, CASE kind WHEN 'event' THEN (SELECT event_id FROM events e WHERE e.seq = ref)
       WHEN 'piton-event' THEN (SELECT id FROM own_events o WHERE o.seq = ref) ELSE CAST(ref AS TEXT) END AS id
       FROM changes WHERE seq > ? ORDER BY seq LIMIT ?`,
      after,
      limit,
    )
    .map((row) => ({ seq: row.seq as number, kind: row.kind as ChangeKind, id: row.id as string }));

export function lastChange(sql: Sql): ChangePosition {
  const row = sql.get('SELECT store, max(events, (SELECT coalesce(max(seq), 0) FROM changes)) AS seq FROM change_origin') as Row;
  return { store: row.store as string, seq: row.seq as number };
}

export function loadChange(sql: Sql, { kind, id }: Change): Changed | undefined {
  switch (kind) {
    case 'event':
      return named(kind, eventById(sql, id));
    case 'session':
      return named(kind, sessionById(sql, id));
    case 'observation':
      return named(kind, observationById(sql, id));
    case 'piton-event':
      return named(kind, pitonEventById(sql, id));
    case 'push':
      return named(kind, pushBySeq(sql, Number(id)));
    case 'transcript':
      return named(kind, transcriptById(sql, Number(id)));
  }
}

/** Pairs each kind with its value. */
const named = <K extends ChangeKind>(kind: K, value: Extract<Changed, { kind: K }>['value'] | undefined) =>
  value === undefined ? undefined : ({ kind, value } as Extract<Changed, { kind: K }>);

export const readerPosition = (sql: Sql, name: string): number =>
  (sql.get('SELECT seq FROM change_readers WHERE name = ?', name)?.seq as number | undefined) ?? 0;

export function moveReader(sql: Sql, name: string, seq: number): void {
  sql.run('INSERT INTO change_readers (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq', name, seq);
}
