import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Row, Sql } from './database/driver.ts';

/** A body up to this size is stored in the row of its event. A longer one is compressed and stored once per content. */
const INLINE_LIMIT = 64 * 1024;

export interface PlacedBody {
  readonly inline: string | null;
  readonly body: Uint8Array | null;
}
export const NO_BODY: PlacedBody = { inline: null, body: null };

export function placeBody(sql: Sql, value: unknown): PlacedBody {
  const json = JSON.stringify(value) ?? 'null';
  // There are never more characters than bytes, so most bodies need no byte count.
  if (json.length * 3 <= INLINE_LIMIT || Buffer.byteLength(json) <= INLINE_LIMIT) return { inline: json, body: null };
  const bytes = Buffer.from(json);
  const sha256 = createHash('sha256').update(bytes).digest();
  if (sql.get('SELECT 1 FROM bodies WHERE sha256 = ?', sha256) === undefined) {
    sql.run('INSERT INTO bodies (sha256, size, data) VALUES (?, ?, ?)', sha256, bytes.length, deflateSync(bytes, { level: 3 }));
  }
  return { inline: null, body: sha256 };
}

/** The value, or undefined if there is none or it was dropped. */
export function readBody(sql: Sql, row: Row, name: 'payload' | 'outcome'): unknown {
  const inline = row[name];
  if (typeof inline === 'string') return JSON.parse(inline);
  const sha256 = row[`${name}_body`];
  if (!(sha256 instanceof Uint8Array)) return undefined;
  const data = sql.get('SELECT data FROM bodies WHERE sha256 = ?', sha256)?.data;
  return data instanceof Uint8Array ? JSON.parse(inflateSync(data).toString('utf8')) : undefined;
}

/** Deletes bodies that no event refers to. */
export const dropOrphans = (sql: Sql): number =>
  sql.run(
    `DELETE FROM bodies WHERE NOT EXISTS (SELECT 1 FROM events WHERE payload_body = sha256) AND NOT EXISTS (SELECT 1 FROM events WHERE outcome_body = sha256)`,
  ).changes;
