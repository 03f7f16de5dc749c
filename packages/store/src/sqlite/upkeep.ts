import type { ExpireOptions, StoreStats } from '../port.ts';
import { dropOrphans } from './bodies.ts';
import type { Sql } from './driver.ts';
import { versionOf } from './migrate.ts';
import { countPending } from './search.ts';

/** So many events at a time: a writer that waits for the lock never waits long. */
const SLICE = 500;
const DAY_US = 86_400_000_000;

const pragma = (sql: Sql, name: string): number => Number(Object.values(sql.get(`PRAGMA ${name}`) ?? {})[0] ?? 0);
const usedBytes = (sql: Sql): number => (pragma(sql, 'page_count') - pragma(sql, 'freelist_count')) * pragma(sql, 'page_size');

export async function expire(sql: Sql, { now, days, maxBytes }: ExpireOptions): Promise<{ events: number; bytes: number }> {
  const nowUs = now * 1000;
  let events = 0;
  const dropWhile = async (more: () => boolean, beforeUs: number): Promise<void> => {
    while (more()) {
      const dropped = sql.transaction(() => dropSlice(sql, beforeUs, nowUs));
      if (dropped === 0) return;
      events += dropped;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await dropWhile(() => true, nowUs - days * DAY_US);
  await dropWhile(() => usedBytes(sql) > maxBytes, Number.MAX_SAFE_INTEGER);
  if (events > 0) sql.all('PRAGMA incremental_vacuum');
  return { events, bytes: usedBytes(sql) };
}

function dropSlice(sql: Sql, beforeUs: number, nowUs: number): number {
  const { changes } = sql.run(
    `UPDATE events SET text = NULL, payload = NULL, payload_body = NULL, outcome = NULL, outcome_body = NULL, expired_us = ?
     WHERE seq IN (SELECT seq FROM events WHERE expired_us IS NULL AND recorded_us < ? ORDER BY recorded_us LIMIT ?)`,
    nowUs,
    beforeUs,
    SLICE,
  );
  if (changes > 0) dropOrphans(sql);
  return changes;
}

const FAILED = 'failed IS NOT NULL OR timed_out IS NOT NULL';

export function readStats(sql: Sql): StoreStats {
  const count = (from: string): number => sql.get(`SELECT count(*) AS n FROM ${from}`)?.n as number;
  const span = sql.get('SELECT min(wall_us) AS oldest FROM events')?.oldest as number | null;
  const newest = sql.get('SELECT max(wall_us) AS newest FROM events')?.newest as number | null;
  return {
    schemaVersion: versionOf(sql),
    events: count('events'),
    lateEvents: count('events WHERE late = 1'),
    sessions: count('sessions'),
    openSessions: count(`sessions WHERE phase <> 'ended'`),
    turns: count('turns'),
    hookRuns: count('hook_runs') + count('own_runs'),
    hookFailures: count(`hook_runs WHERE ${FAILED}`) + count(`own_runs WHERE ${FAILED}`),
    bodies: count('bodies'),
    bytes: usedBytes(sql),
    oldestUs: span,
    newestUs: newest,
    lastSeq: (sql.get('SELECT max(seq) AS seq FROM events')?.seq as number | null) ?? 0,
    unindexed: countPending(sql),
  };
}
