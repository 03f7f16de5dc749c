import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordReport, Store } from '../port.ts';
import { lastChange, loadChange, moveReader, queryChanges, readerPosition } from './changes.ts';
import type { Sql } from './database/driver.ts';
import { failure, failureOf, problemOf } from './database/failure.ts';
import { markSuspect, noteClosed } from './database/store-file.ts';
import { queryHookDecisions, queryHookRuns, queryHookStats } from './hook-stats.ts';
import { queryLedger } from './ledger/ledger-rows.ts';
import { deleteObservation, findObservation, queryObservations, recordObservation } from './ledger/observation-rows.ts';
import { queryPitonEvent, queryPitonEvents, recordPitonEvents, recordSubscriptionRuns } from './piton-events.ts';
import { queryPushes, recordPush } from './pushes.ts';
import { countEvents, queryEvent, queryEvents, queryHookFailures } from './query.ts';
import { recordBatch, recordRuns } from './record.ts';
import { rewriteBodies, scrub, storedBodies } from './rewrite.ts';
import { search } from './search/search.ts';
import { countPending, indexPending } from './search/search-index.ts';
import { countChildren, countSessions, queryHookTimes, querySession, querySessionPlaces, querySessions } from './sessions/session-query.ts';
import { shortIds } from './short-ids.ts';
import { querySums, queryUsageSums, refreshSums } from './sums.ts';
import { queryHeads, queryOutdated, queryTranscripts, queryUsage, recordReading } from './transcripts/transcripts.ts';
import { compact, expirable, expire, readSizes, readStats } from './upkeep.ts';

/** How long a reader may take to notice a change. */
const POLL_MS = 250;
const NOTHING: RecordReport = { ok: true, events: [], sessions: [], rejected: [] };

/** The store port on an open database. `nowUs` is the clock that dates records. */
export function createStore(sql: Sql, path: string, nowUs: () => number): Store {
  let open = true;
  const read = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (!open) throw new Error(`${path}: the store is closed`);
    try {
      return await work();
    } catch (error) {
      if (problemOf(error) === 'corrupt') markSuspect(path);
      throw error;
    }
  };
  const write = async (work: () => RecordReport): Promise<RecordReport> => {
    if (!open) return failure('closed', `${path}: the store is closed`);
    try {
      return work();
    } catch (error) {
      const failed = failureOf(error, path);
      if (failed.problem === 'corrupt') markSuspect(path);
      return failed;
    }
  };
  return {
    record: (batch) => write(() => recordBatch(sql, batch, nowUs())),
    addRuns: (eventId, trace) => write(() => recordRuns(sql, eventId, trace)),
    observe: (observation) => write(() => recordObservation(sql, observation)),
    observations: (query) => read(() => queryObservations(sql, query, nowUs())),
    observation: (ref) => read(() => findObservation(sql, ref, nowUs())),
    deleteObservation: (id) => write(() => deleteObservation(sql, id, nowUs())),
    ledger: (query) => read(() => queryLedger(sql, query)),
    events: (query) => read(() => queryEvents(sql, query)),
    countEvents: (query, upTo) => read(() => countEvents(sql, query, upTo)),
    shortIds: (kind, ids) => read(() => shortIds(sql, kind, ids)),
    event: (ref) => read(() => queryEvent(sql, ref)),
    sessions: (query) => read(() => querySessions(sql, query)),
    countSessions: (query) => read(() => countSessions(sql, query)),
    session: (ref) => read(() => querySession(sql, ref)),
    sessionPlaces: () => read(() => querySessionPlaces(sql)),
    countChildren: (sessions) => read(() => countChildren(sql, sessions)),
    hookTimes: (session) => read(() => queryHookTimes(sql, session)),
    hookFailures: (query) => read(() => queryHookFailures(sql, query)),
    hookStats: (query) => read(() => queryHookStats(sql, query)),
    hookRuns: (query) => read(() => queryHookRuns(sql, query)),
    hookDecisions: (query) => read(() => queryHookDecisions(sql, query)),
    recordPitonEvents: (batch) => write(() => recordPitonEvents(sql, batch)),
    addSubscriptionRuns: (id, trace) => write(() => recordSubscriptionRuns(sql, id, trace)),
    pitonEvents: (query) => read(() => queryPitonEvents(sql, query)),
    pitonEvent: (ref) => read(() => queryPitonEvent(sql, ref)),
    recordPush: (push) => write(() => recordPush(sql, push)),
    pushesOf: (commit) => read(() => queryPushes(sql, commit)),
    search: (text, query) => read(() => search(sql, text, query)),
    indexPending: (limit) => read(() => indexPending(sql, limit)),
    unindexed: () => read(() => countPending(sql)),
    stats: () => read(() => readStats(sql)),
    sizes: () => read(() => readSizes(sql)),
    addTranscript: (reading) => write(() => recordReading(sql, reading, nowUs())),
    transcriptHeads: (session) => read(() => queryHeads(sql, session)),
    usage: (sessions) => read(() => queryUsage(sql, sessions)),
    usageSums: (sessions) => read(() => queryUsageSums(sql, sessions)),
    sums: (query) => read(() => querySums(sql, query)),
    refreshSums: (limit) => read(() => refreshSums(sql, limit)),
    outdatedTranscripts: (reader) => read(() => queryOutdated(sql, reader)),
    transcripts: (session) => read(() => queryTranscripts(sql, session)),
    expire: (options) => read(() => expire(sql, options)),
    expirable: (options) => read(() => expirable(sql, options)),
    compact: () =>
      write(() => {
        compact(sql);
        return NOTHING;
      }),
    changesSince: (seq, limit) => read(() => queryChanges(sql, seq, limit)),
    lastChange: () => read(() => lastChange(sql)),
    loadChange: (change) => read(() => loadChange(sql, change)),
    async waitForChange(seq, signal) {
      while (!signal.aborted && (await read(() => lastChange(sql))).seq <= seq) await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    },
    readerPosition: (name) => read(() => readerPosition(sql, name)),
    moveReader: (name, seq) =>
      write(() => {
        moveReader(sql, name, seq);
        return NOTHING;
      }),
    bodies: ({ of, afterSeq, limit }) => read(() => storedBodies(sql, of, afterSeq, limit)),
    rewriteBodies: (batch) => write(() => rewriteBodies(sql, batch)),
    scrub: () => write(() => scrub(sql)),
    close: async () => {
      if (!open) return;
      open = false;
      emptyLog(sql);
      sql.close();
      noteClosed(path);
    },
  };
}

function emptyLog(sql: Sql): void {
  try {
    sql.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Read-only, or another process is reading: the next close does it.
  }
}
