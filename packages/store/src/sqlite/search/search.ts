import { wordsOf } from '../../excerpt.ts';
import type { SearchHit, SearchQuery } from '../../search-query.ts';
import type { Sql, SqlValue } from '../database/driver.ts';
import { answerFilter, eventFilter, type Filter, LIMITS, type Limits, ROWID } from './filters.ts';
import { answerHit, eventHit, withoutRepeats } from './hits.ts';

const DEFAULT_LIMIT = 20;
/** To rank takes longer the more there are, and what people look for is rarely old. */
const RANKED = 5000;
/** Of what a filter leaves among the others. */
const RANKED_OF_FILTERED = 2000;

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

export function search(sql: Sql, text: string, query: SearchQuery = {}, limits: Limits = LIMITS): readonly SearchHit[] {
  const wanted = quotedWords(text);
  if (wanted.length === 0) return [];
  const { limit = DEFAULT_LIMIT, newest = false } = query;
  const events = eventFilter(sql, query, limits);
  const answers = answerFilter(sql, query, limits);
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

const EVENTS = (table: 'search' | 'search_texts') => ({
  table,
  of: 'event' as const,
  join: `CROSS JOIN events e ON e.seq = ${table}.rowid`,
  // Their lengths stand at the beginning of a row: no text is read.
  length:
    table === 'search_texts'
      ? 'octet_length(e.text)'
      : `coalesce(octet_length(e.prompt), 0) + coalesce(octet_length(e.tool_command), 0) + coalesce(octet_length(e.tool_files), 0)`,
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
  /** Of an event: how much is searched of it, in bytes. */
  readonly length?: string;
}

/**
 * What begins with a word is collected as a whole before the first of it is known, and again to rank it: 90 ms for a word that is in
 * every second of a million records. So such a word is taken as it stands. If too little is found of it, what only begins with it comes
 * after that, the newest first. `enough` is null where all are sorted by time: then nothing is ranked.
 */
function latest(sql: Sql, searched: Searched, words: readonly string[], filter: Filter, enough: number | null): Candidate[] {
  const { only } = filter;
  if (only?.length === 0) return [];
  if (enough === null) return found(sql, searched, expressionOf(words), filter, LAST);
  const most = filter.passesOver ? Math.max(enough, RANKED_OF_FILTERED) : RANKED;
  const oldest = new Map(words.map((word) => [word, oldestOfLatest(sql, searched, word)]));
  const whole = words.filter((word) => oldest.get(word) !== undefined);
  const rank = searched.length !== undefined && isInEverySecond(sql, [...oldest.values()]) ? BREVITY : RANK;
  if (whole.length === 0) return found(sql, searched, expressionOf(words), filter, RANK, most);
  const expression = expressionOf(words, (word) => whole.includes(word));
  const known =
    only !== undefined && whole.length === words.length
      ? among(sql, searched, expression, only)
      : found(sql, searched, expression, filter, rank, most);
  if (known.length >= Math.min(enough, only?.length ?? enough)) return known;
  const seqs = new Set(known.map(({ seq }) => seq));
  return [...known, ...found(sql, searched, expressionOf(words), filter, LAST, most).filter(({ seq }) => !seqs.has(seq))];
}

/** Of a word that is everywhere the oldest of its latest records; undefined of a rarer one. */
const oldestOfLatest = (sql: Sql, { table }: Searched, word: string): number | undefined =>
  sql.get(`SELECT rowid AS seq FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ${RANKED - 1}`, word)?.seq as
    | number
    | undefined;

/** Is each of these words in every second of the latest events? */
function isInEverySecond(sql: Sql, oldest: readonly (number | undefined)[]): boolean {
  const newest = (sql.get('SELECT max(seq) AS seq FROM events')?.seq ?? 0) as number;
  return oldest.every((seq) => seq !== undefined && newest - seq < 2 * RANKED);
}

type Score = (searched: Searched) => string;
const RANK: Score = ({ table }) => `bm25(${table})`;
/** Not ranked: after all that are. */
const LAST: Score = () => '0';
/**
 * A word in more than half of all records has no weight in `bm25`: what is left is how much else is said beside it. But it counts the word
 * in all records first, 19 ms at a million. This says the same from the row, but for how often a word is repeated.
 */
const BREVITY: Score = ({ length = '0' }) => `-2.2e-6 / (1.3 + 0.9 * (${length}) / 200.0)`;

const found = (sql: Sql, searched: Searched, match: string, filter: Filter, score: Score, most = RANKED): Candidate[] =>
  sql
    .all(latestStatement(searched, filter, score, most), ...valuesOf(match, filter))
    .map((row) => ({ of: searched.of, seq: row.seq as number, score: row.score as number }));

/** In the order of the statement. */
const valuesOf = (match: string, { join, values }: Filter): readonly SqlValue[] => [...join.values, match, ...values];

/** As `bm25` says it of a word that is everywhere. */
const ALIKE = -1e-6;

/** Each looked up by itself. Not ranked: that would go through all that have the words, once for each, and they are everywhere. */
const among = (sql: Sql, { table, of }: Searched, match: string, only: readonly number[]): Candidate[] =>
  sql
    .all(
      `SELECT rowid AS seq FROM ${table} WHERE ${table} MATCH ? AND rowid IN (SELECT value FROM json_each(?))`,
      match,
      JSON.stringify(only),
    )
    .map(({ seq }) => ({ of, seq: seq as number, score: ALIKE }));

function latestStatement(searched: Searched, filter: Filter, score: Score, most: number): string {
  const { table, join } = searched;
  const own = filter.only === undefined ? `${filter.join.text} ${join}` : '';
  const text = `SELECT ${table}.rowid AS seq, ${score(searched)} AS score FROM ${table} ${own} WHERE ${table} MATCH ?
    ${filter.where} ORDER BY ${table}.rowid DESC LIMIT ${most}`;
  return text.replaceAll(ROWID, `${table}.rowid`);
}

/** How the events are found. */
export function searchStatement(sql: Sql, text: string, query: SearchQuery): { text: string; values: readonly SqlValue[] } | undefined {
  const filter = eventFilter(sql, query, LIMITS);
  if (filter.only?.length === 0) return undefined;
  return { text: latestStatement(EVENTS('search'), filter, RANK, RANKED), values: valuesOf(matchExpression(text), filter) };
}

/** The command and the text of one event are one hit. */
function bestPerEvent(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const one of candidates) if (one.score < (best.get(one.seq)?.score ?? Number.POSITIVE_INFINITY)) best.set(one.seq, one);
  return [...best.values()];
}
