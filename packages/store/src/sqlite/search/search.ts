import { countWords, excerpt, wordsOf } from '../../excerpt.ts';
import type { SearchHit, SearchPlace, SearchQuery } from '../../search-query.ts';
import type { EventHeader } from '../../stored-events.ts';
import type { Row, Sql, SqlValue } from '../database/driver.ts';
import { HEADER_SELECT, headerOf } from '../event-row.ts';
import { escapeLike, FIRST_SINCE } from '../listing.ts';
import { readText } from '../pieces.ts';
import { findSession } from '../sessions/session-query.ts';

const DEFAULT_LIMIT = 20;
/** To rank takes longer the more there are, and what people look for is rarely old. */
const RANKED = 5000;

/** Every word as a quoted prefix, so nothing that a person types is an operator or a syntax error. */
export const matchExpression = (text: string): string => expressionOf(quotedWords(text));

const quotedWords = (text: string): string[] =>
  text
    .replaceAll('\0', ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"`);

const expressionOf = (words: readonly string[], isWhole: (word: string) => boolean = () => false): string =>
  words.map((word) => (isWhole(word) ? word : `${word}*`)).join(' ');

interface Candidate {
  readonly of: 'event' | 'answer';
  readonly seq: number;
  /** Smaller is better. */
  readonly score: number;
}

export function search(sql: Sql, text: string, query: SearchQuery = {}): readonly SearchHit[] {
  const wanted = quotedWords(text);
  if (wanted.length === 0) return [];
  const { limit = DEFAULT_LIMIT, newest = false } = query;
  const events = eventFilter(sql, query);
  const answers = answerFilter(sql, query);
  if (events === undefined || answers === undefined) return [];
  const enough = newest ? null : 2 * limit;
  const candidates = [
    ...bestPerEvent([
      ...latest(sql, EVENTS('search'), wanted, events, enough),
      ...latest(sql, EVENTS('search_texts'), wanted, events, enough),
    ]),
    // An answer names no file.
    ...(query.file === undefined ? latest(sql, ANSWERS, wanted, answers, enough) : []),
  ];
  const words = wordsOf(text);
  // Of each kind as many as may be shown: which of two kinds is newer is known once they are read.
  const chosen = (['event', 'answer'] as const).flatMap((of) =>
    candidates
      .filter((one) => one.of === of)
      .sort((a, b) => (newest ? 0 : a.score - b.score) || b.seq - a.seq)
      .slice(0, 2 * limit),
  );
  const hits = chosen.map((one) => ({
    ...(one.of === 'event' ? eventHit(sql, one.seq, words) : answerHit(sql, one.seq, words)),
    score: one.score,
  }));
  const sorted = hits.sort((a, b) => (newest ? 0 : a.score - b.score) || b.wallUs - a.wallUs);
  return withoutRepeats(sorted)
    .slice(0, limit)
    .map(({ score: _, ...hit }) => hit);
}

/** In a condition: the number of the event in whichever index is searched. */
const ROWID = '{rowid}';

interface Filter {
  readonly where: string;
  readonly values: readonly SqlValue[];
}

const EVENTS = (table: 'search' | 'search_texts') => ({
  table,
  of: 'event' as const,
  join: `CROSS JOIN events e ON e.seq = ${table}.rowid`,
});
const ANSWERS = {
  table: 'search_answers',
  of: 'answer',
  join: `JOIN transcript_entries a ON a.seq = search_answers.rowid JOIN transcripts t ON t.id = a.transcript_id JOIN sessions e ON e.id = t.session_id`,
} as const;

interface Searched {
  readonly table: string;
  readonly of: Candidate['of'];
  readonly join: string;
}

/**
 * What begins with a word is collected as a whole before the first of it is known, and again to rank it: 90 ms for a word that is in
 * every second of a million records. So such a word is taken as it stands. If too little is found of it, what only begins with it comes
 * after that, the newest first. `enough` is null where all are sorted by time: then nothing is ranked.
 */
function latest(sql: Sql, searched: Searched, words: readonly string[], filter: Filter, enough: number | null): Candidate[] {
  if (enough === null) return found(sql, searched, expressionOf(words), filter, LAST);
  const whole = words.filter((word) => isEverywhere(sql, searched, word));
  if (whole.length === 0) return found(sql, searched, expressionOf(words), filter, RANK);
  const known = found(
    sql,
    searched,
    expressionOf(words, (word) => whole.includes(word)),
    filter,
    RANK,
  );
  if (known.length >= enough) return known;
  const seqs = new Set(known.map(({ seq }) => seq));
  return [...known, ...found(sql, searched, expressionOf(words), filter, LAST).filter(({ seq }) => !seqs.has(seq))];
}

const isEverywhere = (sql: Sql, { table }: Searched, word: string): boolean =>
  sql.get(`SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${RANKED})`, word)?.n === RANKED;

const RANK = (table: string): string => `bm25(${table})`;
/** Not ranked: after all that are. */
const LAST = (): string => '0';

const found = (sql: Sql, searched: Searched, match: string, filter: Filter, score: typeof RANK): Candidate[] =>
  sql
    .all(latestStatement(searched, filter, score), match, ...filter.values)
    .map((row) => ({ of: searched.of, seq: row.seq as number, score: row.score as number }));

const latestStatement = ({ table, join }: Searched, { where }: Filter, score: typeof RANK): string =>
  `SELECT ${table}.rowid AS seq, ${score(table)} AS score FROM ${table} ${join} WHERE ${table} MATCH ?
   ${where.replaceAll(ROWID, `${table}.rowid`)} ORDER BY ${table}.rowid DESC LIMIT ${RANKED}`;

/** How the events are found. */
export function searchStatement(sql: Sql, text: string, query: SearchQuery): { text: string; values: readonly SqlValue[] } | undefined {
  const filter = eventFilter(sql, query);
  return filter && { text: latestStatement(EVENTS('search'), filter, RANK), values: [matchExpression(text), ...filter.values] };
}

/** The command and the text of one event are one hit. */
function bestPerEvent(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const one of candidates) if (one.score < (best.get(one.seq)?.score ?? Number.POSITIVE_INFINITY)) best.set(one.seq, one);
  return [...best.values()];
}

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
    const below = `${escapeLike(path.replace(/\/+$/, ''))}/%`;
    where.push(`(e.repo = ? OR e.project_path = ? OR e.project_path LIKE ? ESCAPE '!')`);
    values.push(path, path, below);
  }
  return [where, values];
}

function eventFilter(sql: Sql, query: SearchQuery): Filter | undefined {
  const common = commonFilter(sql, query, 'e.session_id');
  if (common === undefined) return undefined;
  const [where, values] = common;
  where.push('e.derived = 0', 'e.canary = 0');
  if (query.since !== undefined) {
    const first = sql.get(FIRST_SINCE, query.since)?.seq;
    where.push(`${ROWID} >= ?`, 'e.wall_us >= ?');
    values.push((first ?? Number.MAX_SAFE_INTEGER) as number, query.since);
  }
  if (query.branch !== undefined) {
    // By its index, at once: a branch that nobody works on any more lies far from the end, where the search begins.
    const { first, last } = sql.get('SELECT min(seq) AS first, max(seq) AS last FROM events WHERE branch = ?', query.branch) ?? {};
    if (first == null || last == null) return undefined;
    where.push(`${ROWID} >= ?`, `${ROWID} <= ?`);
    values.push(first, last);
  }
  const rare = rareEvents(sql, query);
  if (rare !== undefined) {
    where.push(`+${ROWID} IN (${rare.text})`);
    values.push(...rare.values);
  }
  if (query.file !== undefined) {
    where.push(`e.tool_files LIKE ? ESCAPE '!'`);
    values.push(`%${escapeLike(JSON.stringify(query.file).slice(1, -1))}%`);
  }
  return { where: where.map((one) => `AND ${one}`).join(' '), values };
}

const MANY = 100_000;

/**
 * The numbers of the few events that a filter leaves, by its index. A word that is in every event would otherwise be looked up in each of
 * a million rows. Undefined if there are many: then the search has found enough of them soon.
 */
function rareEvents(sql: Sql, { session, agent, path, branch, file }: SearchQuery): { text: string; values: SqlValue[] } | undefined {
  const sets: { text: string; values: SqlValue[] }[] = [];
  if (session !== undefined) {
    const found = findSession(sql, session);
    if (found.found === 'one') sets.push({ text: 'SELECT seq FROM events WHERE session_id = ?', values: [found.value] });
  }
  const inPaths = file === undefined ? '' : innerWords(file);
  if (inPaths !== '') sets.push({ text: 'SELECT rowid AS seq FROM search WHERE search MATCH ?', values: [inPaths] });
  if (branch !== undefined) sets.push({ text: 'SELECT seq FROM events WHERE branch = ?', values: [branch] });
  if (agent !== undefined) sets.push({ text: 'SELECT seq FROM events WHERE agent = ?', values: [agent] });
  if (path !== undefined) {
    const below = `${escapeLike(path.replace(/\/+$/, ''))}/%`;
    sets.push({
      text: `SELECT seq FROM events WHERE repo = ? UNION ALL SELECT seq FROM events WHERE session_id IN
        (SELECT id FROM sessions WHERE project_path = ? OR project_path LIKE ? ESCAPE '!')`,
      values: [path, path, below],
    });
  }
  return sets.find(
    ({ text, values }) => (sql.get(`SELECT count(*) AS n FROM (SELECT 1 FROM (${text}) LIMIT ${MANY})`, ...values)?.n as number) < MANY,
  );
}

/**
 * What the index of paths must have where this is a part of one: its words but the first, which may be the end of a longer one, and the
 * last as a beginning. Empty if there are too few.
 */
function innerWords(part: string): string {
  const known = part.replaceAll('\0', ' ').replace(/^[\p{L}\p{N}\p{M}\p{Co}]+/u, '');
  return /[\p{L}\p{N}]/u.test(known) ? `paths : "${known.replaceAll('"', '""')}" *` : '';
}

function answerFilter(sql: Sql, query: SearchQuery): Filter | undefined {
  const common = commonFilter(sql, query, 't.session_id');
  if (common === undefined) return undefined;
  const [where, values] = common;
  if (query.since !== undefined) {
    where.push('coalesce(a.at, ?) >= ?');
    const since = new Date(query.since / 1000).toISOString();
    values.push(since, since);
  }
  return { where: where.map((one) => `AND ${one}`).join(' '), values };
}

function eventHit(sql: Sql, seq: number, words: readonly string[]): SearchHit {
  const event = headerOf(sql.get(`${HEADER_SELECT} WHERE e.seq = ?`, seq) as Row);
  const text = sql.get('SELECT text FROM events WHERE seq = ?', seq)?.text as string | null;
  const { place, found } = bestPlace(event, text, words);
  const { session, agent, repo, branch, projectPath, wallUs } = event;
  return { event, place, excerpt: excerpt(found, words), session, agent, repo, branch, projectPath, wallUs };
}

function bestPlace(
  event: EventHeader,
  text: string | null,
  words: readonly string[],
): { readonly place: SearchPlace; readonly found: string } {
  const places: readonly (readonly [SearchPlace, string | null])[] = [
    ['prompt', event.prompt],
    ['command', event.tool?.command ?? null],
    ['path', event.tool?.files.join('\n') ?? null],
    [event.names.includes('stop') || event.names.includes('subagent_stop') ? 'answer' : 'text', text],
  ];
  const [best] = places
    .filter((one): one is readonly [SearchPlace, string] => one[1] !== null && one[1] !== '')
    .map(([place, found]) => ({ place, found, count: countWords(found, words) }))
    .sort((a, b) => b.count - a.count);
  return best ?? { place: 'text', found: '' };
}

function answerHit(sql: Sql, seq: number, words: readonly string[]): SearchHit {
  const row = sql.get(
    `SELECT a.text, a.piece, a.at, a.recorded_us, e.id, e.agent, e.repo, e.branch, e.project_path FROM transcript_entries a
     JOIN transcripts t ON t.id = a.transcript_id JOIN sessions e ON e.id = t.session_id WHERE a.seq = ?`,
    seq,
  ) as Row;
  const at = Date.parse((row.at as string | null) ?? '');
  return {
    event: null,
    place: 'answer',
    excerpt: excerpt(readText(sql, row) ?? '', words),
    session: row.id as string,
    agent: row.agent as string,
    repo: row.repo as string | null,
    branch: row.branch as string | null,
    projectPath: row.project_path as string,
    wallUs: Number.isNaN(at) ? (row.recorded_us as number) : at * 1000,
  };
}

/**
 * A call is an event before and after it, and the last answer of a turn is in its stop event and in the transcript: each is one hit.
 * An event goes first, for it has an id that can be shown.
 */
function withoutRepeats<T extends SearchHit>(hits: readonly T[]): T[] {
  const keyOf = ({ session, place, excerpt: text }: SearchHit): string => JSON.stringify([session, place, text]);
  const ofEvents = new Set(hits.filter(({ event }) => event !== null).map(keyOf));
  const shown = new Set<string>();
  return hits.filter((hit) => {
    const key = keyOf(hit);
    if (shown.has(key) || (hit.event === null && ofEvents.has(key))) return false;
    shown.add(key);
    return true;
  });
}
