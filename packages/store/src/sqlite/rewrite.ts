import type { Outcome } from '@piton/contracts';
import type { RecordReport } from '../port.ts';
import type { EventTexts, RewrittenBody, StoredBody } from '../records.ts';
import { dropOrphans, NO_BODY, placeBody, readBody } from './bodies.ts';
import type { Row, Sql } from './database/driver.ts';
import { failure } from './database/failure.ts';
import { ledgerBodies, rewriteLedger } from './ledger/ledger-rows.ts';
import { pitonEventBodies, rewritePitonEvents } from './piton-event-rewrite.ts';
import { indexPending, optimizeIndex } from './search/search-index.ts';
import { rewriteTexts, transcriptTexts } from './transcripts/transcript-rewrite.ts';

const NOTHING: RecordReport = { ok: true, events: [], sessions: [], rejected: [] };
const INDEX_BATCH = 500;

export function storedBodies(sql: Sql, of: StoredBody['of'], afterSeq: number, limit: number): readonly StoredBody[] {
  if (of === 'piton-event' || of === 'push') return pitonEventBodies(sql, of, afterSeq, limit);
  if (of === 'observation')
    return sql
      .all('SELECT rowid AS seq, id, redaction, body FROM observations WHERE rowid > ? ORDER BY rowid LIMIT ?', afterSeq, limit)
      .map((row) => ({
        of,
        seq: row.seq as number,
        id: row.id as string,
        redaction: row.redaction as string,
        body: JSON.parse(row.body as string),
      }));
  if (of === 'transcript') return transcriptTexts(sql, afterSeq, limit);
  if (of === 'ledger') return ledgerBodies(sql, afterSeq, limit);
  return sql
    .all(
      'SELECT * FROM events LEFT JOIN (SELECT seq AS s, reason, delivered FROM decisions) ON s = seq WHERE seq > ? ORDER BY seq LIMIT ?',
      afterSeq,
      limit,
    )
    .map((row) => ({
      of,
      seq: row.seq as number,
      id: row.event_id as string,
      agent: row.agent as string,
      redaction: row.redaction as string,
      body: textsOf(sql, row),
    }));
}

function textsOf(sql: Sql, row: Row): EventTexts {
  const maybe = (name: string): string | null => row[name] as string | null;
  const parsed = <T>(name: string): T | null => (row[name] === null ? null : (JSON.parse(row[name] as string) as T));
  return {
    prompt: maybe('prompt'),
    text: maybe('text'),
    command: maybe('tool_command'),
    files: parsed<string[]>('tool_files'),
    problems: parsed<string[]>('problems'),
    source: maybe('source'),
    agentId: maybe('agent_id'),
    transcriptPath: maybe('transcript_path'),
    model: maybe('model'),
    branch: maybe('branch'),
    payload: readBody(sql, row, 'payload'),
    outcome: (readBody(sql, row, 'outcome') as Outcome | undefined) ?? null,
    reason: maybe('reason'),
    delivered: parsed('delivered'),
    notes: sql
      .all('SELECT at, note FROM hook_runs WHERE seq = ? AND note IS NOT NULL', row.seq as number)
      .map(({ at, note }) => ({ at: at as number, note: note as string })),
  };
}

export function rewriteBodies(sql: Sql, batch: readonly RewrittenBody[]): RecordReport {
  // Overwritten data is zeroed in the file, not only freed.
  sql.exec('PRAGMA secure_delete = ON');
  sql.transaction(() => {
    sql.run('INSERT INTO rewriting VALUES (1)');
    for (const one of batch) {
      if (one.of === 'event') rewriteEvent(sql, one.seq, one.body, one.redaction);
      else if (one.of === 'transcript') rewriteTexts(sql, one.seq, one.body, one.redaction);
      else if (one.of === 'ledger') rewriteLedger(sql, one.seq, one.body, one.redaction);
      else if (one.of !== 'observation') rewritePitonEvents(sql, one);
      else sql.run('UPDATE observations SET body = ?, redaction = ? WHERE rowid = ?', JSON.stringify(one.body), one.redaction, one.seq);
    }
    sql.run('DELETE FROM rewriting');
    dropOrphans(sql);
  });
  while (indexPending(sql, INDEX_BATCH).left > 0);
  return NOTHING;
}

function rewriteEvent(sql: Sql, seq: number, texts: EventTexts, redaction: string): void {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  const payload = texts.payload === undefined ? NO_BODY : placeBody(sql, texts.payload);
  const outcome = texts.outcome === null ? NO_BODY : placeBody(sql, texts.outcome);
  sql.run(
    `UPDATE events SET prompt = ?, text = ?, tool_command = ?, tool_files = ?, problems = ?, source = ?, agent_id = ?, transcript_path = ?,
     model = ?, branch = ?, payload = ?, payload_body = ?, outcome = ?, outcome_body = ?, redaction = ? WHERE seq = ?`,
    ...[
      texts.prompt,
      texts.text,
      texts.command,
      json(texts.files),
      json(texts.problems),
      texts.source,
      texts.agentId,
      texts.transcriptPath,
    ],
    ...[texts.model, texts.branch, payload.inline, payload.body, outcome.inline, outcome.body, redaction, seq],
  );
  sql.run('UPDATE decisions SET reason = ?, delivered = coalesce(?, delivered) WHERE seq = ?', texts.reason, json(texts.delivered), seq);
  for (const { at, note } of texts.notes) sql.run('UPDATE hook_runs SET note = ? WHERE seq = ? AND at = ?', note, seq, at);
  sql.run('INSERT OR IGNORE INTO search_again VALUES (?)', seq);
}

/** The index keeps deleted words until it is merged, and the log keeps old pages until it is emptied: which it cannot be while somebody reads. */
export function scrub(sql: Sql): RecordReport {
  sql.exec('PRAGMA secure_delete = ON');
  optimizeIndex(sql);
  if (sql.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 0)
    return failure('busy', 'somebody reads the store, so its log still has what was overwritten');
  return NOTHING;
}
