import type { Decision, Outcome, TraceEntry } from '@piton/contracts';
import { clockValue } from '../clock.ts';
import type { RecordedEvent, RecordReport, SessionChange } from '../port.ts';
import type { EventRecord } from '../records.ts';
import { wasContinued } from '../sessions/input.ts';
import { supersedes } from '../superseding.ts';
import { NO_BODY, placeBody } from './bodies.ts';
import type { Sql, SqlValue } from './database/driver.ts';
import { problemOf } from './database/failure.ts';
import { INSERT_EVENT, SUPERSEDE_EVENT, supersedingValues, valuesOf } from './event-row.ts';
import { writeLedger } from './ledger/ledger-rows.ts';
import { createSessionTracker, type SessionTracker } from './sessions/session-tracker.ts';

type Written = { readonly events: readonly RecordedEvent[]; readonly sessions: readonly SessionChange[] };

/** One transaction. If a record cannot be written, the others are written one by one. */
export function recordBatch(sql: Sql, batch: readonly EventRecord[], nowUs: number): RecordReport {
  try {
    return { ok: true, ...sql.transaction(() => write(sql, batch, nowUs)), rejected: [] };
  } catch (error) {
    // An error of the whole store (full, busy, corrupt) is rethrown. Only an error of a single record is worth another try.
    if (problemOf(error) !== 'failed') throw error;
  }
  const events: RecordedEvent[] = [];
  const sessions: SessionChange[] = [];
  const rejected: { eventId: string; error: string }[] = [];
  for (const record of batch) {
    try {
      const written = sql.transaction(() => write(sql, [record], nowUs));
      events.push(...written.events);
      sessions.push(...written.sessions);
    } catch (error) {
      if (problemOf(error) !== 'failed') throw error;
      rejected.push({ eventId: record.eventId, error: (error as Error).message });
    }
  }
  return { ok: true, events, sessions, rejected };
}

function write(sql: Sql, batch: readonly EventRecord[], nowUs: number): Written {
  const tracker = createSessionTracker(sql);
  const events = batch.map((record) => writeOne(sql, tracker, record, nowUs));
  return { events, sessions: tracker.flush() };
}

function writeOne(sql: Sql, tracker: SessionTracker, record: EventRecord, recordedUs: number): RecordedEvent {
  const { eventId } = record;
  const known = sql.get(KNOWN_EVENT, eventId);
  if (known !== undefined && !supersedes(record, { late: known.late === 1, answered: known.answered === 1 })) {
    return { eventId, did: 'replayed', seq: known.seq as number, session: known.session_id as string | null };
  }
  const session = tracker.sessionOf(record);
  const payload = placeBody(sql, record.envelope.payload);
  const outcome = record.outcome === null ? NO_BODY : placeBody(sql, record.outcome);
  const extras = { session, recordedUs, payload, outcome };
  if (known === undefined) {
    const seq = sql.run(INSERT_EVENT, ...valuesOf(record, extras)).rowid;
    writeOutcome(sql, seq, record.outcome);
    keepLedger(sql, record, session);
    tracker.inserted(record);
    return { eventId, did: 'inserted', seq, session };
  }
  const seq = known.seq as number;
  sql.run(SUPERSEDE_EVENT, ...supersedingValues({ ...record, late: false }, extras), seq);
  if (record.late) makeLate(sql, seq);
  sql.run('INSERT OR IGNORE INTO search_again VALUES (?)', seq);
  writeOutcome(sql, seq, record.outcome);
  keepLedger(sql, record, known.session_id as string | null);
  tracker.superseded(record);
  return { eventId, did: 'superseded', seq, session: known.session_id as string | null };
}

function keepLedger(sql: Sql, { eventId, wallUs, tool, ledger, redaction }: EventRecord, session: string | null): void {
  if (ledger === undefined || ledger.length === 0 || session === null) return;
  writeLedger(sql, { eventId, session, wallUs: clockValue(wallUs), useId: tool?.useId ?? null, redaction }, ledger);
}

const KNOWN_EVENT = `SELECT seq, late, session_id, outcome IS NOT NULL OR outcome_body IS NOT NULL AS answered
  FROM events WHERE event_id = ?`;

/** Only a live record may replace another, so the record is marked as late after that. */
function makeLate(sql: Sql, seq: number): void {
  sql.run('INSERT INTO rewriting VALUES (1)');
  sql.run('UPDATE events SET late = 1 WHERE seq = ?', seq);
  sql.run('DELETE FROM rewriting');
}

function writeOutcome(sql: Sql, seq: number, outcome: Outcome | null): void {
  if (outcome === null) return;
  const { decision, trace, delivered } = outcome;
  if (decision.decision !== 'observe') {
    sql.run(
      'INSERT INTO decisions (seq, decision, verdict, reason, continued, delivered) VALUES (?, ?, ?, ?, ?, ?)',
      seq,
      decision.decision,
      decision.verdict,
      decision.reason ?? decision.continue ?? null,
      wasContinued(outcome) ? 1 : 0,
      JSON.stringify(delivered),
    );
  }
  // A thousand hooks that did not match would be a thousand rows. The full trace is in the body of the outcome.
  const recorded = trace.filter((entry) => entry.did === 'ran' || entry.why !== 'no-match');
  for (const [at, entry] of recorded.entries()) writeRun(sql, seq, at, entry);
}

function writeRun(sql: Sql, seq: number, at: number, entry: TraceEntry, later = false): void {
  sql.run(
    `INSERT INTO hook_runs (seq, at, hook, scope, event, did, why, exit_code, duration_ms, timed_out, failed, note, said, observed, started_us)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...runValues(seq, at, entry, later),
  );
}

export function runValues(seq: number, at: number, entry: TraceEntry<string>, later: boolean): SqlValue[] {
  const { hook, scope, event, did } = entry;
  const ran = did === 'ran' ? entry : null;
  // Decisions before the answer are in the outcome. Those after it are only here, so the reason is kept.
  const note = entry.note ?? (later && ran !== null ? reasonOf(ran.said) : null);
  return [
    ...[seq, at, hook, scope, event, did, did === 'skipped' ? entry.why : null],
    ...[ran?.exitCode ?? null, ran?.durationMs ?? null, ran?.timedOut ?? null, ran?.failed ?? null],
    ...[note, ran?.said.decision ?? null, later || ran?.observed === true ? 1 : 0, ran?.startedUs ?? null],
  ];
}

const reasonOf = (said: Decision): string | null => ('reason' in said ? (said.reason ?? null) : null);

/** Hooks that ran after the answer are recorded after their event, and possibly twice after a crash. */
export function recordRuns(sql: Sql, eventId: string, trace: readonly TraceEntry[]): RecordReport {
  return sql.transaction((): RecordReport => {
    const nothing = { ok: true, events: [], sessions: [], rejected: [] } as const;
    const event = sql.get('SELECT seq FROM events WHERE event_id = ?', eventId);
    if (event === undefined) return nothing;
    const seq = event.seq as number;
    if (sql.get('SELECT 1 FROM hook_runs WHERE seq = ? AND observed = 1', seq) !== undefined) return nothing;
    const next = sql.get('SELECT coalesce(max(at), -1) + 1 AS at FROM hook_runs WHERE seq = ?', seq)?.at as number;
    for (const [at, entry] of trace.entries()) writeRun(sql, seq, next + at, entry, true);
    return nothing;
  });
}
