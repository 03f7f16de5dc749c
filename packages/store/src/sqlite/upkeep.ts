import { type Expired, type ExpireOptions, KEPT_PARTS, type KeptPart, type StoreStats } from '../retention.ts';
import { dropOrphans } from './bodies.ts';
import type { Row, Sql } from './database/driver.ts';
import { dropExpired } from './ledger/observation-rows.ts';
import { versionOf } from './migrate.ts';
import { countPending, optimizeIndex } from './search/search-index.ts';
import { type Age, dropTexts } from './transcripts/transcripts.ts';

/** Events per transaction: a writer that waits for the lock never waits long. */
const SLICE = 500;
const DAY_US = 86_400_000_000;

const pragma = (sql: Sql, name: string): number => Number(Object.values(sql.get(`PRAGMA ${name}`) ?? {})[0] ?? 0);
const usedBytes = (sql: Sql): number => (pragma(sql, 'page_count') - pragma(sql, 'freelist_count')) * pragma(sql, 'page_size');

/** Dropped in slices, so that other writers get the lock in between. */
export async function expire(sql: Sql, { now, days, maxBytes, of = KEPT_PARTS, sessions }: ExpireOptions): Promise<Expired> {
  const nowUs = now * 1000;
  const dropped = { events: 0, entries: 0 };
  const dropWhile = async (more: () => boolean, beforeUs: number): Promise<void> => {
    const age: Age = { beforeUs, ...(sessions && { sessions }) };
    while (more()) {
      const [events, entries] = sql.transaction(() => [
        of.includes('events') ? dropBodies(sql, age, nowUs) : 0,
        of.includes('transcripts') ? dropTexts(sql, age, SLICE, nowUs) : 0,
      ]);
      if (events + entries === 0) return;
      dropped.events += events;
      dropped.entries += entries;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  sql.transaction(() => dropExpired(sql, nowUs));
  await dropWhile(() => true, nowUs - days * DAY_US);
  await dropWhile(() => usedBytes(sql) > maxBytes, Number.MAX_SAFE_INTEGER);
  if (dropped.events + dropped.entries > 0) sql.all('PRAGMA incremental_vacuum');
  return { ...dropped, bytes: usedBytes(sql) };
}

const OF_SESSIONS = 'session_id IN (SELECT value FROM json_each(?))';

function dropBodies(sql: Sql, { beforeUs, sessions }: Age, nowUs: number): number {
  const { changes } = sql.run(
    `UPDATE events SET text = NULL, payload = NULL, payload_body = NULL, outcome = NULL, outcome_body = NULL, expired_us = ?
     WHERE seq IN (SELECT seq FROM events WHERE expired_us IS NULL AND recorded_us < ? ${sessions === undefined ? '' : `AND ${OF_SESSIONS}`}
     ORDER BY recorded_us LIMIT ?)`,
    ...[nowUs, beforeUs, ...(sessions === undefined ? [] : [JSON.stringify(sessions)]), SLICE],
  );
  if (changes > 0) dropOrphans(sql);
  return changes;
}

const FAILED = 'failed IS NOT NULL OR timed_out IS NOT NULL';
/** What `expire` with these options would drop. `bytes` counts texts, not database pages. */
export function expirable(sql: Sql, { now, days, of = KEPT_PARTS, sessions }: Omit<ExpireOptions, 'maxBytes'>): Expired {
  const values = [(now - (days * DAY_US) / 1000) * 1000, ...(sessions === undefined ? [] : [JSON.stringify(sessions)])];
  const [events, entries] = [
    `SELECT count(*) AS n, coalesce(sum(coalesce(length(text), 0) + coalesce(length(payload), 0) + coalesce(length(outcome), 0)
     + coalesce((SELECT length(data) FROM bodies WHERE sha256 = payload_body), 0)
     + coalesce((SELECT length(data) FROM bodies WHERE sha256 = outcome_body), 0)), 0) AS bytes
     FROM events WHERE expired_us IS NULL AND recorded_us < ? ${sessions === undefined ? '' : `AND ${OF_SESSIONS}`}`,
    `SELECT count(*) AS n, coalesce(sum(coalesce(length(text), 0) + coalesce((SELECT length(data) FROM pieces WHERE sha256 = piece), 0)), 0) AS bytes
     FROM transcript_entries WHERE (piece IS NOT NULL OR text IS NOT NULL) AND recorded_us < ?
     ${sessions === undefined ? '' : `AND transcript_id IN (SELECT id FROM transcripts WHERE ${OF_SESSIONS})`}`,
  ].map((query, at) => (of.includes(KEPT_PARTS[at] as KeptPart) ? sql.get(query, ...values) : undefined));
  const number = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);
  return { events: number(events, 'n'), entries: number(entries, 'n'), bytes: number(events, 'bytes') + number(entries, 'bytes') };
}

/** Returns free space to the disk. Rows that lost their bodies leave pages half empty, and only a rewrite of the file removes those. */
export function compact(sql: Sql): void {
  optimizeIndex(sql);
  sql.exec('VACUUM');
  sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

const countOf = (sql: Sql, from: string): number => sql.get(`SELECT count(*) AS n FROM ${from}`)?.n as number;

export const readSizes = (sql: Sql): Pick<StoreStats, 'events' | 'sessions'> => ({
  events: countOf(sql, 'events'),
  sessions: countOf(sql, 'sessions'),
});

export function readStats(sql: Sql): StoreStats {
  const count = (from: string): number => countOf(sql, from);
  const span = sql.get('SELECT min(wall_us) AS oldest FROM events')?.oldest as number | null;
  const newest = sql.get('SELECT max(wall_us) AS newest FROM events')?.newest as number | null;
  return {
    schemaVersion: versionOf(sql),
    ...readSizes(sql),
    lateEvents: count('events WHERE late = 1'),
    openSessions: count(`sessions WHERE phase <> 'ended'`),
    turns: count('turns'),
    hookRuns: count('hook_runs') + count('own_runs'),
    hookFailures: count(`hook_runs WHERE ${FAILED}`) + count(`own_runs WHERE ${FAILED}`),
    bodies: count('bodies'),
    transcripts: count('transcripts'),
    transcriptEntries: count('transcript_entries'),
    bytes: usedBytes(sql),
    oldestUs: span,
    newestUs: newest,
    lastSeq: (sql.get('SELECT max(seq) AS seq FROM events')?.seq as number | null) ?? 0,
    unindexed: countPending(sql),
  };
}
