import { ENVELOPE_VERSION, EVENT_FACTS, type Outcome } from '@piton/contracts';
import type { Lookup } from '../port.ts';
import type { EventDetail, EventHeader, EventQuery, HookFailure, HookRun } from '../stored-events.ts';
import { readBody } from './bodies.ts';
import type { Row, Sql, SqlValue } from './database/driver.ts';
import { HEADER_SELECT, headerOf } from './event-row.ts';
import { DEFAULT_LIMIT, escapeLike, FIRST_SINCE } from './listing.ts';
import { matchExpression } from './search/search.ts';
import { findSession } from './sessions/session-query.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export function queryEvents(sql: Sql, query: EventQuery): readonly EventHeader[] {
  const statement = eventsStatement(sql, query);
  return statement === undefined ? [] : sql.all(statement.text, ...statement.values).map(headerOf);
}

/** How many events match, or `upTo` if there are more: a count has no end otherwise. */
export function countEvents(sql: Sql, query: EventQuery, upTo: number): number {
  const condition = eventsCondition(sql, query);
  if (condition === undefined) return 0;
  const from = `FROM events e ${query.denied ? 'JOIN' : 'LEFT JOIN'} decisions d ON d.seq = e.seq`;
  return sql.get(`SELECT count(*) AS n FROM (SELECT 1 ${from} ${condition.text} LIMIT ?)`, ...condition.values, upTo)?.n as number;
}

/** Undefined if nothing can match. */
export function eventsStatement(sql: Sql, query: EventQuery): Statement | undefined {
  const condition = eventsCondition(sql, query);
  if (condition === undefined) return undefined;
  const direction = query.afterSeq === undefined && query.ids === undefined ? 'DESC' : 'ASC';
  // By the table whose index is read, so that nothing is sorted.
  const order = `ORDER BY ${query.denied ? 'd' : 'e'}.seq ${direction} LIMIT ?`;
  return { text: `${HEADER_SELECT} ${condition.text} ${order}`, values: [...condition.values, query.limit ?? DEFAULT_LIMIT] };
}

function eventsCondition(sql: Sql, query: EventQuery): Statement | undefined {
  const where: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...more: SqlValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (query.session !== undefined) {
    const session = findSession(sql, query.session);
    if (session.found !== 'one') return undefined;
    add('e.session_id = ?', session.value);
  }
  if (query.before !== undefined) add('e.seq < ?', query.before);
  if (query.afterSeq !== undefined) add('e.seq > ?', query.afterSeq);
  if (query.ids !== undefined) add('e.event_id IN (SELECT value FROM json_each(?))', JSON.stringify(query.ids));
  if (query.agent !== undefined) add('e.agent = ?', query.agent);
  if (query.event !== undefined)
    add(EVENT_FACTS[query.event].of === undefined ? 'e.event = ?' : `substr(e.names, instr(e.names, ' ') + 1) = ?`, query.event);
  if (query.denied) add(`d.decision = 'deny'`);
  if (query.since !== undefined) {
    const first = sql.get(FIRST_SINCE, query.since)?.seq;
    if (first == null) return undefined;
    add('e.seq >= ? AND +e.wall_us >= ?', first, query.since);
  }
  if (query.canary !== undefined) add('e.canary = ?', query.canary ? 1 : 0);
  if (query.derived !== undefined) add('e.derived = ?', query.derived ? 1 : 0);
  if (query.path !== undefined) addPath(sql, query.path.replace(/(?<=.)\/+$/, ''), add);
  if (query.text !== undefined) {
    const match = matchExpression(query.text);
    if (match === '') return undefined;
    add(
      `e.seq IN (SELECT rowid FROM search WHERE search MATCH ? UNION SELECT rowid FROM search_texts WHERE search_texts MATCH ?)`,
      match,
      match,
    );
  }
  return { text: where.length > 0 ? `WHERE ${where.join(' AND ')}` : '', values };
}

/** A repository has an index. Of another directory the sessions are known, which are few, and the numbers of their events. */
function addPath(sql: Sql, path: string, add: (condition: string, ...values: SqlValue[]) => void): void {
  if (sql.get('SELECT 1 FROM events WHERE repo = ? LIMIT 1', path) !== undefined) return add('e.repo = ?', path);
  const below = `${escapeLike(path === '/' ? '' : path)}/%`;
  add(
    `e.seq IN (SELECT seq FROM events WHERE session_id IN (SELECT id FROM sessions WHERE project_path = ? OR project_path LIKE ? ESCAPE '!'))`,
    path,
    below,
  );
}

export function queryEvent(sql: Sql, ref: string): Lookup<EventDetail> {
  // Ids are ULIDs in capitals. People also type lower case.
  const id = ref.toUpperCase();
  if (!/^[0-9A-Z]{1,26}$/.test(id)) return { found: 'none' };
  const ids = sql
    .all(`SELECT event_id FROM events WHERE event_id >= ? AND event_id < ? ORDER BY event_id LIMIT 10`, id, `${id}~`)
    .map((row) => row.event_id as string);
  const [only] = ids;
  if (only === undefined) return { found: 'none' };
  return ids.length > 1 ? { found: 'many', ids } : { found: 'one', value: eventById(sql, only) as EventDetail };
}

/** By its full id. */
export function eventById(sql: Sql, id: string): EventDetail | undefined {
  const row = sql.get(`${HEADER_SELECT} WHERE e.event_id = ?`, id);
  if (row === undefined) return undefined;
  const header = headerOf(row);
  const bodies = sql.get('SELECT text, payload, payload_body, outcome, outcome_body FROM events WHERE event_id = ?', id) as Row;
  const payload = readBody(sql, bodies, 'payload');
  const { agent: provider, event, providerRef, projectPath, receivedAt } = header;
  return {
    ...header,
    text: bodies.text as string | null,
    envelope:
      payload === undefined ? null : { schemaVersion: ENVELOPE_VERSION, provider, event, providerRef, projectPath, receivedAt, payload },
    outcome: (readBody(sql, bodies, 'outcome') as Outcome | undefined) ?? null,
    hookRuns: sql.all('SELECT * FROM hook_runs WHERE seq = ? ORDER BY at', header.seq).map(runOf),
  };
}

export function queryHookFailures(
  sql: Sql,
  { since = 0, limit = DEFAULT_LIMIT }: { readonly since?: number; readonly limit?: number },
): readonly HookFailure[] {
  const failed = (runs: string, events: string, id: string): Row[] =>
    sql.all(
      `SELECT r.*, e.${id} AS event_id, e.agent, e.wall_us, e.project_path FROM ${runs} r JOIN ${events} e ON e.seq = r.seq
       WHERE (r.failed IS NOT NULL OR r.timed_out IS NOT NULL) AND e.wall_us >= ? ORDER BY r.seq DESC, r.at LIMIT ?`,
      since,
      limit,
    );
  // Hooks and subscriptions: their author does not care which it is.
  const [hooks, subscriptions] = [failed('hook_runs', 'events', 'event_id'), failed('own_runs', 'own_events', 'id')].map((rows) =>
    rows.map(failureRow),
  );
  if (subscriptions?.length === 0) return hooks ?? [];
  return [...(hooks ?? []), ...(subscriptions ?? [])].sort((a, b) => b.wallUs - a.wallUs).slice(0, limit);
}

/** A failed run, with its event. */
export const failureRow = (row: Row): HookFailure => ({
  ...runOf(row),
  event: row.event as HookFailure['event'],
  eventId: row.event_id as string,
  seq: row.seq as number,
  agent: row.agent as string | null,
  wallUs: row.wall_us as number,
  projectPath: row.project_path as string,
});

export const runOf = (row: Row): HookRun => ({
  hook: row.hook as string,
  scope: row.scope as HookRun['scope'],
  event: row.event as HookRun['event'],
  did: row.did as HookRun['did'],
  why: row.why as string | null,
  exitCode: row.exit_code as number | null,
  startedUs: row.started_us as number | null,
  durationMs: row.duration_ms as number | null,
  timedOut: row.timed_out as string | null,
  failed: row.failed as string | null,
  note: row.note as string | null,
  said: row.said as HookRun['said'],
  observed: row.observed === 1,
});
