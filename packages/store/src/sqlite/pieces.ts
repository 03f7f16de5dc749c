import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Row, Sql } from './database/driver.ts';

/** A shorter text takes less space in its row than a reference would. */
const INLINE_LIMIT = 160;

export interface PlacedText {
  readonly text: string | null;
  readonly piece: Uint8Array | null;
}

/** Places a text: a long one is stored once, compressed, under its hash. */
export function placeText(sql: Sql, text: string | null): PlacedText {
  if (text === null || text.length <= INLINE_LIMIT) return { text, piece: null };
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest();
  if (sql.get('SELECT 1 FROM pieces WHERE sha256 = ?', sha256) === undefined)
    sql.run('INSERT INTO pieces (sha256, size, data) VALUES (?, ?, ?)', sha256, bytes.length, deflateRawSync(bytes));
  return { text: null, piece: sha256 };
}

export function readText(sql: Sql, row: Row): string | null {
  if (!(row.piece instanceof Uint8Array)) return row.text as string | null;
  const data = sql.get('SELECT data FROM pieces WHERE sha256 = ?', row.piece)?.data;
  return data instanceof Uint8Array ? inflateRawSync(data).toString('utf8') : null;
}

/** Deletes those of these pieces that no entry refers to. */
export function dropUnused(sql: Sql, pieces: readonly Uint8Array[]): void {
  for (const piece of pieces)
    sql.run('DELETE FROM pieces WHERE sha256 = ? AND NOT EXISTS (SELECT 1 FROM transcript_entries WHERE piece = sha256)', piece);
}
