import type { Lookup, RecordReport } from '../../port.ts';
import type { ObservationRecord } from '../../records.ts';
import type { ObservationQuery, ObservedHere } from '../../stored-sessions.ts';
import type { Row, Sql, SqlValue } from '../database/driver.ts';
import { failure } from '../database/failure.ts';
import { DEFAULT_LIMIT, escapeLike } from '../listing.ts';
import { createSessionTracker, type SessionObservation } from '../sessions/session-tracker.ts';

const NOTHING = { ok: true, events: [], sessions: [], rejected: [] } as const satisfies RecordReport;

export const recordObservation = (sql: Sql, observation: ObservationRecord): RecordReport =>
  sql.transaction(() => (isOfSession(observation) ? addToSession(sql, observation) : keep(sql, observation)));

const isOfSession = (observation: ObservationRecord): observation is SessionObservation =>
  observation.kind === 'crash' || observation.kind === 'commit' || observation.kind === 'note';

/** It is part of what happened in the session: recorded once, in its place. */
function addToSession(sql: Sql, observation: SessionObservation): RecordReport {
  const { id, session, kind } = observation;
  if (sql.get('SELECT 1 FROM observations WHERE id = ?', id) !== undefined) return NOTHING;
  const tracker = createSessionTracker(sql);
  const at = tracker.observed(observation);
  if (at === undefined) return failure('missing', `no session ${session}`);
  sql.run(
    'INSERT INTO observations (id, session_id, kind, boot_id, monotonic_us, wall_us, body, redaction) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ...[id, session, kind, at.bootId, at.monotonicUs, at.wallUs, JSON.stringify(observation.body), observation.redaction],
  );
  return { ...NOTHING, sessions: tracker.flush() };
}

/** It is about the session, and changes nothing in it. The same id again is the same observation, as it is now, unless the person deleted it. */
function keep(sql: Sql, { id, session, kind, wallUs, body, redaction, expiresUs }: ObservationRecord): RecordReport {
  const values = [session, Number(wallUs), JSON.stringify(body), redaction, expiresUs === undefined ? null : Number(expiresUs)];
  const known = sql.get('SELECT wall_us, deleted_us FROM observations WHERE id = ?', id);
  if (known !== undefined) {
    if (known.deleted_us === null && (known.wall_us as number) <= Number(wallUs))
      sql.run('UPDATE observations SET session_id = ?, wall_us = ?, body = ?, redaction = ?, expires_us = ? WHERE id = ?', ...values, id);
    return NOTHING;
  }
  if (sql.get('SELECT 1 FROM sessions WHERE id = ?', session) === undefined) return failure('missing', `no session ${session}`);
  sql.run(
    `INSERT INTO observations (session_id, wall_us, body, redaction, expires_us, id, kind, boot_id, monotonic_us)
     VALUES (?, ?, ?, ?, ?, ?, ?, '', 0)`,
    ...[...values, id, kind],
  );
  return NOTHING;
}

/** Its text is gone; its row stays, so that it is not observed again. */
export function deleteObservation(sql: Sql, id: string, nowUs: number): RecordReport {
  sql.exec('PRAGMA secure_delete = ON');
  sql.run(`UPDATE observations SET body = 'null', deleted_us = ? WHERE id = ? AND kind NOT IN ('crash', 'commit')`, nowUs, id);
  return NOTHING;
}

/** What has expired is forgotten as a whole: it may be observed again. */
export const dropExpired = (sql: Sql, nowUs: number): number =>
  sql.run(`UPDATE observations SET body = 'null', wall_us = 0 WHERE expires_us < ? AND body <> 'null'`, nowUs).changes;

const THERE = '(o.deleted_us IS NULL AND (o.expires_us IS NULL OR o.expires_us >= ?))';

export function queryObservations(sql: Sql, query: ObservationQuery, nowUs: number): readonly ObservedHere[] {
  const where = [THERE];
  const values: SqlValue[] = [nowUs];
  const add = (condition: string, ...more: SqlValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (query.kinds !== undefined) add('o.kind IN (SELECT value FROM json_each(?))', JSON.stringify(query.kinds));
  if (query.session !== undefined) add('o.session_id = ?', query.session);
  if (query.path !== undefined) {
    const below = `${escapeLike(query.path.replace(/\/+$/, ''))}/%`;
    const places = `s.project_path = ? OR s.project_path LIKE ? ESCAPE '!' OR s.repo = ? OR s.repo LIKE ? ESCAPE '!'`;
    add(`(${places})`, query.path, below, query.path, below);
  }
  return sql
    .all(
      `SELECT o.*, s.agent FROM observations o JOIN sessions s ON s.id = o.session_id WHERE ${where.join(' AND ')}
       ORDER BY o.wall_us DESC, o.id DESC LIMIT ?`,
      ...values,
      query.limit ?? DEFAULT_LIMIT,
    )
    .map(observedOf);
}

export function findObservation(sql: Sql, ref: string, nowUs: number): Lookup<ObservedHere> {
  if (ref === '') return { found: 'none' };
  const rows = sql.all(
    `SELECT o.*, s.agent FROM observations o JOIN sessions s ON s.id = o.session_id
     WHERE o.id LIKE ? ESCAPE '!' AND ${THERE} ORDER BY o.id LIMIT 10`,
    `${escapeLike(ref)}%`,
    nowUs,
  );
  const [only] = rows;
  if (only === undefined) return { found: 'none' };
  return rows.length > 1 ? { found: 'many', ids: rows.map(({ id }) => id as string) } : { found: 'one', value: observedOf(only) };
}

const observedOf = (row: Row): ObservedHere => ({
  id: row.id as string,
  kind: row.kind as ObservedHere['kind'],
  wallUs: row.wall_us as number,
  body: JSON.parse(row.body as string) as unknown,
  session: row.session_id as string,
  agent: row.agent as string,
  expiresUs: row.expires_us as number | null,
});
