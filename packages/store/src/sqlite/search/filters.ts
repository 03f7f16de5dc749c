import type { SearchQuery } from '../../search-query.ts';
import type { Sql, SqlValue } from '../database/driver.ts';
import { escapeLike, FIRST_SINCE } from '../listing.ts';
import { findSession } from '../sessions/session-query.ts';
import { eventsIn, IN_PLACE, isOneRepository, placeOf, placeValues } from './places.ts';

/** In a condition: the number of the row in whichever index is searched. */
export const ROWID = '{rowid}';

export interface Filter {
  /** Between the index and the rows: what an index of its own says of a row before it is read. */
  readonly join: Join;
  readonly where: string;
  readonly values: readonly SqlValue[];
  /** The numbers of all that the filter leaves, where they are few: then nothing else is asked. */
  readonly only?: readonly number[];
  /** It leaves many, and most of what the index has may be of others: that is passed over one by one. */
  readonly passesOver?: true;
}

interface Join {
  readonly text: string;
  readonly values: readonly SqlValue[];
}
type Set = Join;
const NO_JOIN: Join = { text: '', values: [] };

/** From how many on a set is searched in another way. */
export interface Limits {
  /** Of so few each is looked up by itself. */
  readonly few: number;
  /** Of so many it is soon known where they lie. */
  readonly some: number;
  readonly many: number;
}
export const LIMITS: Limits = { few: 1000, some: 30_000, many: 100_000 };

const NOTHING_LEFT: Filter = { join: NO_JOIN, where: '', values: [], only: [] };
const onlyThese = (only: readonly number[]): Filter => ({
  join: NO_JOIN,
  where: `AND +${ROWID} IN (SELECT value FROM json_each(?))`,
  values: [JSON.stringify(only)],
  only,
});

/** What both kinds have. Undefined if nothing can match. */
function commonFilter(
  sql: Sql,
  { agent, session, exceptSession, path, branch }: SearchQuery,
  sessionColumn: string,
): [string[], SqlValue[]] | undefined {
  const where: string[] = [];
  const values: SqlValue[] = [];
  if (session !== undefined) {
    const found = findSession(sql, session);
    if (found.found !== 'one') return undefined;
    where.push(`${sessionColumn} = ?`);
    values.push(found.value);
  }
  if (exceptSession !== undefined) {
    where.push(`${sessionColumn} IS NOT ?`);
    values.push(exceptSession);
  }
  if (agent !== undefined) {
    where.push('e.agent = ?');
    values.push(agent);
  }
  if (branch !== undefined) {
    where.push('e.branch = ?');
    values.push(branch);
  }
  if (path !== undefined) {
    where.push(IN_PLACE);
    values.push(...placeValues(placeOf(path)));
  }
  return [where, values];
}

export function eventFilter(sql: Sql, query: SearchQuery, limits: Limits): Filter {
  const common = commonFilter(sql, query, 'e.session_id');
  if (common === undefined) return NOTHING_LEFT;
  const [where, values] = common;
  where.push('e.derived = 0', 'e.canary = 0');
  const first = query.since === undefined ? undefined : ((sql.get(FIRST_SINCE, query.since)?.seq ?? null) as number | null);
  if (first === null) return NOTHING_LEFT;
  if (query.since !== undefined && first !== undefined) {
    where.push(`${ROWID} >= ?`, 'e.wall_us >= ?');
    values.push(first, query.since);
  }
  if (query.branch !== undefined) {
    // By its index, at once: a branch that nobody works on any more lies far from the end, where the search begins.
    const end = (order: string): string => `(SELECT seq FROM events WHERE branch = ?1 ORDER BY seq ${order} LIMIT 1)`;
    const { first, last } = sql.get(`SELECT ${end('ASC')} AS first, ${end('DESC')} AS last`, query.branch) ?? {};
    if (first == null || last == null) return NOTHING_LEFT;
    where.push(`${ROWID} >= ?`, `${ROWID} <= ?`);
    values.push(first, last);
  }
  if (query.file !== undefined) {
    where.push(`e.tool_files LIKE ? ESCAPE '!'`);
    values.push(`%${escapeLike(JSON.stringify(query.file).slice(1, -1))}%`);
  }
  const conditions = where.map((one) => `AND ${one}`).join(' ');
  const rare = rareEvents(sql, query, limits.many, first);
  if (rare === undefined) return { join: indexedJoin(sql, query), where: conditions, values, ...(narrows(query) && { passesOver: true }) };
  if (rare.count <= limits.few) {
    const own = conditions.replaceAll(ROWID, 'e.seq');
    const rows = sql.all(`SELECT e.seq FROM events e WHERE e.seq IN (${rare.text}) ${own}`, ...rare.values, ...values);
    return onlyThese(rows.map(({ seq }) => seq as number));
  }
  return { join: NO_JOIN, where: `${conditions} AND +${ROWID} IN (${rare.text})`, values: [...values, ...rare.values] };
}

const narrows = ({ agent, branch, path, session, file }: SearchQuery): boolean =>
  [agent, branch, path, session, file].some((one) => one !== undefined);

/** Of a filter that leaves many: indices say whose an event is, so that those of others are not read. */
function indexedJoin(sql: Sql, { agent, branch, path }: SearchQuery): Join {
  const place = path === undefined ? undefined : placeOf(path);
  const joins = [
    ...(place !== undefined && isOneRepository(sql, place) ? [joinBy('repo', place.path)] : []),
    ...(agent === undefined ? [] : [joinBy('agent', agent)]),
    ...(branch === undefined ? [] : [joinBy('branch', branch)]),
  ];
  return { text: joins.map(({ text }) => text).join(' '), values: joins.flatMap(({ values }) => values) };
}

const joinBy = (column: 'agent' | 'branch' | 'repo', value: string): Join => ({
  text: `CROSS JOIN events by_${column} INDEXED BY events_by_${column} ON by_${column}.${column} = ? AND by_${column}.seq = ${ROWID}`,
  values: [value],
});

/**
 * The numbers of the few events that a filter leaves, by its index. A word that is in every event would otherwise be looked up in each of
 * a million rows. Undefined if there are many: then the search has found enough of them soon.
 */
function rareEvents(
  sql: Sql,
  { session, agent, path, branch, file }: SearchQuery,
  many: number,
  first?: number,
): (Set & { readonly count: number }) | undefined {
  const sets: Set[] = [];
  if (session !== undefined) {
    const found = findSession(sql, session);
    if (found.found === 'one') sets.push({ text: 'SELECT seq FROM events WHERE session_id = ?', values: [found.value] });
  }
  const inPaths = file === undefined ? '' : innerWords(file);
  if (inPaths !== '') sets.push({ text: 'SELECT rowid AS seq FROM search WHERE search MATCH ?', values: [inPaths] });
  if (branch !== undefined) sets.push({ text: 'SELECT seq FROM events WHERE branch = ?', values: [branch] });
  if (agent !== undefined) sets.push({ text: 'SELECT seq FROM events WHERE agent = ?', values: [agent] });
  if (path !== undefined) sets.push(eventsIn(placeOf(path)));
  if (first !== undefined) sets.push({ text: 'SELECT seq FROM events WHERE seq >= ?', values: [first] });
  const [rarest] = sets.map((set) => ({ ...set, count: countUpTo(sql, set, many) })).toSorted((a, b) => a.count - b.count);
  return rarest !== undefined && rarest.count < many ? rarest : undefined;
}

const countUpTo = (sql: Sql, { text, values }: Set, limit: number): number =>
  sql.get(`SELECT count(*) AS n FROM (SELECT 1 FROM (${text}) LIMIT ${limit})`, ...values)?.n as number;

/**
 * What the index of paths must have where this is a part of one: its words but the first, which may be the end of a longer one, and the
 * last as a beginning. Empty if there are too few.
 */
function innerWords(part: string): string {
  const known = part.replaceAll('\0', ' ').replace(/^[\p{L}\p{N}\p{M}\p{Co}]+/u, '');
  return /[\p{L}\p{N}]/u.test(known) ? `paths : "${known.replaceAll('"', '""')}" *` : '';
}

export function answerFilter(sql: Sql, query: SearchQuery, { few, some }: Limits): Filter {
  const common = commonFilter(sql, query, 't.session_id');
  if (common === undefined) return NOTHING_LEFT;
  const [where, values] = common;
  if (query.since !== undefined) {
    // What was said since then was read since then.
    const first = sql.get(FIRST_READ_SINCE, query.since)?.seq ?? null;
    if (first === null) return NOTHING_LEFT;
    where.push(`${ROWID} >= ?`, 'coalesce(a.at, ?) >= ?');
    const since = new Date(query.since / 1000).toISOString();
    values.push(first, since, since);
  }
  const conditions = where.map((one) => `AND ${one}`).join(' ');
  const { agent, branch, path, session } = query;
  const all: Filter = { join: NO_JOIN, where: conditions, values };
  if ([agent, branch, path, session, query.since].every((one) => one === undefined)) return all;
  const from = `FROM sessions e CROSS JOIN transcripts t ON t.session_id = e.id CROSS JOIN transcript_entries a ON a.transcript_id = t.id
    WHERE a.kind = 'answer' ${conditions.replaceAll(ROWID, 'a.seq')}`;
  const first = sql.all(`SELECT a.seq ${from} LIMIT ${few + 1}`, ...values).map(({ seq }) => seq as number);
  if (first.length <= few) return onlyThese(first);
  // Where one is among the newest, the search soon finds enough. Those of a branch that nobody works on any more lie far from the end.
  const isRecent = sql.get(
    `SELECT 1 FROM transcript_entries a CROSS JOIN transcripts t ON t.id = a.transcript_id CROSS JOIN sessions e ON e.id = t.session_id
     WHERE a.seq > (SELECT max(seq) - ${some >> 4} FROM transcript_entries) AND a.kind = 'answer' ${conditions.replaceAll(ROWID, 'a.seq')} LIMIT 1`,
    ...values,
  );
  if (isRecent !== undefined) return { ...all, passesOver: true };
  const { n, low, high } =
    sql.get(`SELECT count(*) AS n, min(seq) AS low, max(seq) AS high FROM (SELECT a.seq ${from} LIMIT ${some})`, ...values) ?? {};
  if (n === some) return { ...all, passesOver: true };
  return {
    ...all,
    passesOver: true,
    where: `${conditions} AND ${ROWID} BETWEEN ? AND ?`,
    values: [...values, low as number, high as number],
  };
}

const FIRST_READ_SINCE = `SELECT min(+seq) AS seq FROM transcript_entries INDEXED BY transcript_entries_with_text
  WHERE recorded_us >= ? AND (piece IS NOT NULL OR text IS NOT NULL)`;
