import type { CommitLinked, PitonEvent, SubscriptionEntry } from '@piton/contracts';
import type { PitonEventDetail, PitonEventQuery, PitonEventRecord, SubscriptionRun } from '../piton-event-records.ts';
import type { Lookup, RecordReport } from '../port.ts';
import type { Row, Sql, SqlValue } from './database/driver.ts';
import { writeLedger } from './ledger/ledger-rows.ts';
import { DEFAULT_LIMIT } from './listing.ts';
import { runOf } from './query.ts';
import { runValues } from './record.ts';

const NOTHING: RecordReport = { ok: true, events: [], sessions: [], rejected: [] };

export function recordPitonEvents(sql: Sql, batch: readonly PitonEventRecord[]): RecordReport {
  return sql.transaction(() => {
    for (const { event, projectPath, redaction } of batch) {
      sql.run(
        `INSERT OR IGNORE INTO own_events (id, event, wall_us, agent, session_ref, project_path, body, redaction) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[event.id, event.event, Date.parse(event.time) * 1000, event.agent, event.session_id, projectPath],
        ...[JSON.stringify(event), redaction],
      );
      if (event.event === 'commit-linked') noteCommit(sql, event, redaction);
    }
    return NOTHING;
  });
}

/** A commit that holds work of a session is a fact of that session, whoever made it. */
function noteCommit(sql: Sql, { id, time, agent, session_id, commit_sha, name }: CommitLinked, redaction: string): void {
  const session = sql.get('SELECT id FROM sessions WHERE agent = ? AND provider_ref = ?', agent, session_id)?.id as string | undefined;
  if (session === undefined) return;
  const source = { eventId: id, session, wallUs: Date.parse(time) * 1000, useId: null, redaction };
  writeLedger(sql, source, [{ kind: 'commit', sha: commit_sha, subject: name }]);
}

/** A replay of the journal records the same events again. */
export function recordSubscriptionRuns(sql: Sql, id: string, trace: readonly SubscriptionEntry[]): RecordReport {
  return sql.transaction(() => {
    const seq = sql.get('SELECT seq FROM own_events WHERE id = ?', id)?.seq as number | undefined;
    if (seq === undefined || sql.get('SELECT 1 FROM own_runs WHERE seq = ?', seq) !== undefined) return NOTHING;
    for (const [at, entry] of trace.entries())
      sql.run(
        `INSERT INTO own_runs (seq, at, hook, scope, event, did, why, exit_code, duration_ms, timed_out, failed, note, said, observed, started_us)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...runValues(seq, at, entry, true),
      );
    return NOTHING;
  });
}

export function queryPitonEvents(sql: Sql, query: PitonEventQuery): readonly PitonEventDetail[] {
  const where: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, value: SqlValue): void => {
    where.push(condition);
    values.push(value);
  };
  if (query.event !== undefined) add('event = ?', query.event);
  if (query.agent !== undefined) add('agent = ?', query.agent);
  if (query.session !== undefined) add('session_ref = ?', query.session);
  if (query.since !== undefined) add('wall_us >= ?', query.since);
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  return sql
    .all(`SELECT * FROM own_events ${condition} ORDER BY seq DESC LIMIT ?`, ...values, query.limit ?? DEFAULT_LIMIT)
    .map((row) => detailOf(sql, row));
}

export function queryPitonEvent(sql: Sql, ref: string): Lookup<PitonEventDetail> {
  const id = ref.toUpperCase();
  if (!/^[0-9A-Z]{1,26}$/.test(id)) return { found: 'none' };
  const rows = sql.all('SELECT * FROM own_events WHERE id >= ? AND id < ? ORDER BY id LIMIT 10', id, `${id}~`);
  const [only] = rows;
  if (only === undefined) return { found: 'none' };
  return rows.length > 1 ? { found: 'many', ids: rows.map((row) => row.id as string) } : { found: 'one', value: detailOf(sql, only) };
}

/** By its full id. */
export function pitonEventById(sql: Sql, id: string): PitonEventDetail | undefined {
  const row = sql.get('SELECT * FROM own_events WHERE id = ?', id);
  return row && detailOf(sql, row);
}

const detailOf = (sql: Sql, row: Row): PitonEventDetail => ({
  seq: row.seq as number,
  projectPath: row.project_path as string,
  event: JSON.parse(row.body as string) as PitonEvent,
  runs: sql
    .all('SELECT * FROM own_runs WHERE seq = ? ORDER BY at', row.seq as number)
    .map((run) => ({ ...runOf(run), event: run.event as SubscriptionRun['event'] })),
});
