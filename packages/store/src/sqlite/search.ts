import type { SearchHit } from '../port.ts';
import type { Row, Sql } from './driver.ts';
import { HEADER_SELECT, headerOf } from './event-row.ts';

const DEFAULT_LIMIT = 20;

/** Every word as a quoted prefix, so nothing that a person types is an operator or a syntax error. */
export function matchExpression(text: string): string {
  return text
    .replaceAll('\0', ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"*`)
    .join(' ');
}

export function search(sql: Sql, text: string, limit = DEFAULT_LIMIT): readonly SearchHit[] {
  const match = matchExpression(text);
  if (match === '') return [];
  return sql
    .all(
      `SELECT rowid AS seq, snippet(search, -1, '⟦', '⟧', '…', 24) AS snippet FROM search WHERE search MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
      match,
      limit,
    )
    .map((hit) => ({
      event: headerOf(sql.get(`${HEADER_SELECT} WHERE e.seq = ?`, hit.seq as number) as Row),
      snippet: hit.snippet as string,
    }));
}

const SELECT_TEXTS = 'SELECT seq, prompt, tool_command, tool_files FROM events WHERE';

/** Not in the transaction that inserts an event: indexing costs more than everything else. */
export function indexPending(sql: Sql, limit: number): { readonly indexed: number; readonly left: number } {
  return sql.transaction(() => {
    const again = sql.all(`${SELECT_TEXTS} seq IN (SELECT seq FROM search_again LIMIT ?) ORDER BY seq`, limit);
    const done = progressOf(sql);
    const fresh = sql.all(`${SELECT_TEXTS} seq > ? ORDER BY seq LIMIT ?`, done, Math.max(0, limit - again.length));
    for (const row of again) {
      // An event that is not indexed at all yet is indexed in its turn.
      if ((row.seq as number) <= done) indexOne(sql, row);
      sql.run('DELETE FROM search_again WHERE seq = ?', row.seq as number);
    }
    for (const row of fresh) indexOne(sql, row);
    const last = fresh.at(-1);
    if (last !== undefined) sql.run('UPDATE search_progress SET seq = ?', last.seq as number);
    return { indexed: again.length + fresh.length, left: countPending(sql) };
  });
}

function indexOne(sql: Sql, row: Row): void {
  const seq = row.seq as number;
  sql.run('DELETE FROM search WHERE rowid = ?', seq);
  const paths = row.tool_files === null ? null : (JSON.parse(row.tool_files as string) as string[]).join('\n');
  if (row.prompt === null && row.tool_command === null && paths === null) return;
  sql.run(
    'INSERT INTO search (rowid, prompt, command, paths) VALUES (?, ?, ?, ?)',
    seq,
    row.prompt as string | null,
    row.tool_command as string | null,
    paths,
  );
}

const progressOf = (sql: Sql): number => sql.get('SELECT seq FROM search_progress')?.seq as number;

export function countPending(sql: Sql): number {
  // Rows are never deleted, so gaps in the numbers do not matter.
  const last = sql.get('SELECT max(seq) AS seq FROM events')?.seq as number | null;
  return (last ?? 0) - progressOf(sql) + (sql.get('SELECT count(*) AS n FROM search_again')?.n as number);
}
