import { plainText } from '../../excerpt.ts';
import type { Row, Sql } from '../database/driver.ts';
import { readText } from '../pieces.ts';

const SELECT_TEXTS = 'SELECT seq, prompt, tool_command, tool_files, text FROM events WHERE';
const SELECT_ANSWERS = `SELECT seq, text, piece FROM transcript_entries WHERE kind = 'answer' AND`;

/** Not in the transaction that inserts an event: indexing costs more than everything else. */
export function indexPending(sql: Sql, limit: number): { readonly indexed: number; readonly left: number } {
  return sql.transaction(() => {
    const events = indexEvents(sql, limit);
    const answers = indexAnswers(sql, limit - events);
    return { indexed: events + answers, left: countPending(sql) };
  });
}

function indexEvents(sql: Sql, limit: number): number {
  const again = sql.all(`${SELECT_TEXTS} seq IN (SELECT seq FROM search_again LIMIT ?) ORDER BY seq`, limit);
  const done = progressOf(sql, 'search_progress');
  const fresh = sql.all(`${SELECT_TEXTS} seq > ? ORDER BY seq LIMIT ?`, done, Math.max(0, limit - again.length));
  for (const row of again) {
    // An event that is not indexed at all yet is indexed in its turn.
    if ((row.seq as number) <= done) indexEvent(sql, row);
    sql.run('DELETE FROM search_again WHERE seq = ?', row.seq as number);
  }
  for (const row of fresh) indexEvent(sql, row);
  const last = fresh.at(-1);
  if (last !== undefined) sql.run('UPDATE search_progress SET seq = ?', last.seq as number);
  return again.length + fresh.length;
}

function indexEvent(sql: Sql, row: Row): void {
  const seq = row.seq as number;
  sql.run('DELETE FROM search WHERE rowid = ?', seq);
  indexText(sql, 'search_texts', seq, row.text as string | null);
  const paths = row.tool_files === null ? null : (JSON.parse(row.tool_files as string) as string[]).join('\n');
  if (row.prompt === null && row.tool_command === null && paths === null) return;
  sql.run('INSERT INTO search (rowid, prompt, command, paths) VALUES (?, ?, ?, ?)', seq, plain(row.prompt), plain(row.tool_command), paths);
}

const plain = (text: Row[string] | undefined): string | null => (text == null ? null : plainText(text as string));

function indexText(sql: Sql, table: 'search_texts' | 'search_answers', seq: number, text: string | null): void {
  sql.run(`DELETE FROM ${table} WHERE rowid = ?`, seq);
  if (text !== null) sql.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, seq, plainText(text));
}

/** `limit` rows of any kind are passed over: most entries of a transcript are no answers. */
function indexAnswers(sql: Sql, limit: number): number {
  if (limit <= 0) return 0;
  const again = sql.all(`${SELECT_ANSWERS} seq IN (SELECT seq FROM answers_again LIMIT ?)`, limit);
  const done = progressOf(sql, 'answer_progress');
  const last = Math.min(lastSeq(sql, 'transcript_entries'), done + limit - again.length);
  const fresh = sql.all(`${SELECT_ANSWERS} seq > ? AND seq <= ?`, done, last);
  for (const row of [...again.filter(({ seq }) => (seq as number) <= done), ...fresh])
    indexText(sql, 'search_answers', row.seq as number, readText(sql, row));
  for (const row of again) sql.run('DELETE FROM answers_again WHERE seq = ?', row.seq as number);
  if (last > done) sql.run('UPDATE answer_progress SET seq = ?', last);
  return again.length + Math.max(0, last - done);
}

const progressOf = (sql: Sql, table: 'search_progress' | 'answer_progress'): number => sql.get(`SELECT seq FROM ${table}`)?.seq as number;

// Rows are never deleted, so gaps in the numbers do not matter.
const lastSeq = (sql: Sql, table: 'events' | 'transcript_entries'): number =>
  (sql.get(`SELECT max(seq) AS seq FROM ${table}`)?.seq as number | null) ?? 0;

export function countPending(sql: Sql): number {
  const again = (table: 'search_again' | 'answers_again'): number => sql.get(`SELECT count(*) AS n FROM ${table}`)?.n as number;
  const events = lastSeq(sql, 'events') - progressOf(sql, 'search_progress') + again('search_again');
  return events + lastSeq(sql, 'transcript_entries') - progressOf(sql, 'answer_progress') + again('answers_again');
}

/** Merges the index, which removes deleted words from it. */
export function optimizeIndex(sql: Sql): void {
  for (const table of ['search', 'search_texts', 'search_answers']) sql.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
}
