import type { StoredBody, TranscriptTexts } from '../../records.ts';
import type { Sql } from '../database/driver.ts';
import { dropUnused, placeText, readText } from '../pieces.ts';

export const transcriptTexts = (sql: Sql, afterSeq: number, limit: number): readonly StoredBody[] =>
  sql
    .all(
      `SELECT e.*, t.session_id FROM transcript_entries e JOIN transcripts t ON t.id = e.transcript_id
       WHERE e.seq > ? ORDER BY e.seq LIMIT ?`,
      afterSeq,
      limit,
    )
    .map((row) => ({
      of: 'transcript',
      seq: row.seq as number,
      id: row.session_id as string,
      redaction: row.redaction as string,
      body: { text: readText(sql, row), model: row.model as string | null, name: row.name as string | null },
    }));

export function rewriteTexts(sql: Sql, seq: number, { text, model, name }: TranscriptTexts, redaction: string): void {
  const before = sql.get('SELECT piece FROM transcript_entries WHERE seq = ?', seq)?.piece;
  const placed = placeText(sql, text);
  sql.run(
    'UPDATE transcript_entries SET text = ?, piece = ?, model = ?, name = ?, redaction = ? WHERE seq = ?',
    ...[placed.text, placed.piece, model, name, redaction, seq],
  );
  if (before instanceof Uint8Array) dropUnused(sql, [before]);
}
