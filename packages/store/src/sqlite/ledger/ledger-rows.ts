import type { LedgerEntry, LedgerQuery, LedgerRow } from '../../ledger.ts';
import type { Row, Sql, SqlValue } from '../database/driver.ts';
import { escapeLike } from '../listing.ts';

/** Where the facts of one event come from. */
export interface LedgerSource {
  readonly eventId: string;
  readonly session: string;
  readonly wallUs: number;
  /** The agent's id of the call, by which its transcript says how it ended. */
  readonly useId: string | null;
  readonly redaction: string;
}

/** All facts of one event. An event that was recorded again has the new ones. */
export function writeLedger(sql: Sql, source: LedgerSource, entries: readonly LedgerEntry[]): void {
  sql.run('DELETE FROM ledger WHERE event_id = ?', source.eventId);
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'commit' && isKnownCommit(sql, source.session, entry.sha)) continue;
    insert(sql, source, at, entry);
  }
}

function insert(sql: Sql, { eventId, session, wallUs, useId, redaction }: LedgerSource, at: number, entry: LedgerEntry): void {
  const end = entry.kind === 'command' ? (knownEnd(sql, session, useId, entry) ?? entry) : { ok: null, exitCode: null };
  sql.run(
    'INSERT INTO ledger (event_id, at, session_id, kind, wall_us, use_id, ok, exit_code, body, redaction) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[eventId, at, session, entry.kind, wallUs, useId, end.ok === null ? null : Number(end.ok), end.exitCode],
    ...[JSON.stringify(entry), redaction],
  );
}

/** The agent's transcript may have been read before its event came. */
function knownEnd(sql: Sql, session: string, useId: string | null, { ok, background }: Extract<LedgerEntry, { kind: 'command' }>) {
  if (ok !== null || useId === null || background) return undefined;
  const row = sql.get(
    `SELECT e.failed FROM transcripts t JOIN transcript_entries e ON e.transcript_id = t.id
     WHERE t.session_id = ? AND e.kind = 'tool-result' AND e.use_id = ? AND e.failed IS NOT NULL`,
    session,
    useId,
  );
  return row === undefined ? undefined : endOf(row.failed === 1);
}

const endOf = (failed: boolean) => ({ ok: !failed, exitCode: failed ? null : 0 });

/** One commit is one fact, though git's output and Piton's own link both report it: the first stays, with the longer name. */
function isKnownCommit(sql: Sql, session: string, sha: string): boolean {
  const rows = sql.all(`SELECT seq, body FROM ledger WHERE session_id = ? AND kind = 'commit'`, session);
  for (const row of rows) {
    const known = JSON.parse(row.body as string) as Extract<LedgerEntry, { kind: 'commit' }>;
    if (!known.sha.startsWith(sha) && !sha.startsWith(known.sha)) continue;
    if (sha.length > known.sha.length)
      sql.run('UPDATE ledger SET body = ? WHERE seq = ?', JSON.stringify({ ...known, sha }), row.seq as number);
    return true;
  }
  return false;
}

/** How a command ended, where only the agent's transcript says it. Of one in the background it says only that it began. */
export function endCommand(sql: Sql, session: string, useId: string, failed: boolean): void {
  const { ok, exitCode } = endOf(failed);
  sql.run(
    `UPDATE ledger SET ok = ?, exit_code = ? WHERE session_id = ? AND use_id = ? AND ok IS NULL AND kind = 'command'
       AND json_extract(body, '$.background') IS NULL`,
    ...[Number(ok), exitCode, session, useId],
  );
}

const DEFAULT_ROWS = 1000;

export function queryLedger(sql: Sql, query: LedgerQuery): readonly LedgerRow[] {
  const where: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...more: SqlValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (query.session !== undefined) add('l.session_id = ?', query.session);
  if (query.kinds !== undefined) add('l.kind IN (SELECT value FROM json_each(?))', JSON.stringify(query.kinds));
  if (query.since !== undefined) add('l.wall_us >= ?', query.since);
  if (query.path !== undefined) {
    const below = `${escapeLike(query.path.replace(/\/+$/, ''))}/%`;
    const places = `s.project_path = ? OR s.project_path LIKE ? ESCAPE '!' OR s.repo = ? OR s.repo LIKE ? ESCAPE '!'`;
    add(`l.session_id IN (SELECT s.id FROM sessions s WHERE ${places})`, query.path, below, query.path, below);
  }
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  return sql
    .all(
      `SELECT l.*, s.agent FROM ledger l JOIN sessions s ON s.id = l.session_id ${condition}
       ORDER BY l.wall_us DESC, l.event_id DESC, l.at DESC LIMIT ?`,
      ...values,
      query.limit ?? DEFAULT_ROWS,
    )
    .map(rowOf);
}

function rowOf(row: Row): LedgerRow {
  const entry = JSON.parse(row.body as string) as LedgerEntry;
  const ended = entry.kind === 'command' ? { ok: row.ok === null ? null : row.ok === 1, exitCode: row.exit_code as number | null } : {};
  return {
    ...entry,
    ...ended,
    seq: row.seq as number,
    session: row.session_id as string,
    agent: row.agent as string,
    eventId: row.event_id as string,
    wallUs: row.wall_us as number,
  } as LedgerRow;
}

export const ledgerBodies = (sql: Sql, afterSeq: number, limit: number) =>
  sql.all('SELECT seq, event_id, redaction, body FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?', afterSeq, limit).map((row) => ({
    of: 'ledger' as const,
    seq: row.seq as number,
    id: row.event_id as string,
    redaction: row.redaction as string,
    body: JSON.parse(row.body as string) as LedgerEntry,
  }));

export const rewriteLedger = (sql: Sql, seq: number, body: LedgerEntry, redaction: string): void => {
  sql.run('UPDATE ledger SET body = ?, redaction = ? WHERE seq = ?', JSON.stringify(body), redaction, seq);
};
