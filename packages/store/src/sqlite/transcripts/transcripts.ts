import type { TokenCounts } from '@piton/contracts';
import type { RecordReport } from '../../port.ts';
import type { KeptEntry, OutdatedTranscript, StoredTranscript, TranscriptHead, TranscriptReading, UsageRecord } from '../../transcripts.ts';
import type { Row, Sql, SqlValue } from '../database/driver.ts';
import { endCommand } from '../ledger/ledger-rows.ts';
import { dropUnused, placeText, readText } from '../pieces.ts';

const NOTHING: RecordReport = { ok: true, events: [], sessions: [], rejected: [] };

/** Stores one reading, all or nothing: the position is saved together with the entries. */
export function recordReading(sql: Sql, reading: TranscriptReading, nowUs: number): RecordReport {
  sql.transaction(() => {
    const id = writeHead(sql, reading);
    const unused: Uint8Array[] = [];
    let added = 0;
    for (const { key, entry } of reading.entries) added += writeEntry(sql, id, { key, entry, redaction: reading.redaction, nowUs }, unused);
    for (const { entry } of reading.entries)
      if (entry.kind === 'tool-result' && entry.useId !== null && entry.failed !== null)
        endCommand(sql, reading.session, entry.useId, entry.failed);
    dropUnused(sql, unused);
    sql.run('UPDATE transcripts SET characters = characters + ? WHERE id = ?', added, id);
  });
  return NOTHING;
}

function writeHead(sql: Sql, { session, path, agentId, format, mark, notes }: TranscriptReading): number {
  const known = sql.get('SELECT id, notes FROM transcripts WHERE session_id = ? AND path = ?', session, path);
  const all = [...new Set([...(known === undefined ? [] : (JSON.parse(known.notes as string) as string[])), ...notes])];
  const { file, size, modifiedMs, consumed, tail, reader, memory } = mark;
  const values = [format, file, size, modifiedMs, consumed, tail, reader, memoryAt(consumed, memory), JSON.stringify(all)];
  if (known === undefined)
    return sql.run(
      `INSERT INTO transcripts (format, file, size, modified_ms, consumed, tail, reader, memory, notes, session_id, path, agent_id, characters)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
      ...values,
      session,
      path,
      agentId,
    ).rowid;
  sql.run(
    `UPDATE transcripts SET format = ?, file = ?, size = ?, modified_ms = ?, consumed = ?, tail = ?, reader = ?, memory = ?, notes = ?
     WHERE id = ?`,
    ...values,
    known.id as number,
  );
  return known.id as number;
}

export const TOKEN_COLUMNS = [
  ['input', 'input'],
  ['output', 'output'],
  ['reasoning', 'reasoning'],
  ['cache_read', 'cacheRead'],
  ['cache_write', 'cacheWrite'],
  ['cache_write_1h', 'cacheWrite1h'],
] as const satisfies readonly (readonly [string, keyof TokenCounts])[];

/** In the order of the values in `writeEntry`. */
const WRITTEN = [
  ...['kind', 'at', 'cut', 'model', 'name', 'use_id', 'failed'],
  ...TOKEN_COLUMNS.map(([column]) => column),
  ...['redaction', 'piece', 'text'],
];

interface Writing {
  readonly key: Uint8Array;
  readonly entry: KeptEntry;
  readonly redaction: string;
  readonly nowUs: number;
}

/** Returns how many characters are new. */
function writeEntry(sql: Sql, transcript: number, { key, entry, redaction, nowUs }: Writing, unused: Uint8Array[]): number {
  const { kind, at, cut, model, name, useId, failed, tokens } = entry;
  const known = sql.get('SELECT seq, piece, text FROM transcript_entries WHERE transcript_id = ? AND key = ?', transcript, key);
  const placed = placeText(sql, entry.text);
  const values: SqlValue[] = [
    ...[kind, at, cut, model, name, useId, failed === null ? null : Number(failed)],
    ...TOKEN_COLUMNS.map(([, name]) => tokens?.[name] ?? null),
    ...[redaction, placed.piece, placed.text],
  ];
  if (known === undefined) {
    sql.run(
      `INSERT INTO transcript_entries (${WRITTEN.join(', ')}, transcript_id, key, recorded_us)
       VALUES (${WRITTEN.map(() => '?').join(', ')}, ?, ?, ?)`,
      ...values,
      transcript,
      key,
      nowUs,
    );
    return entry.text?.length ?? 0;
  }
  if (known.piece instanceof Uint8Array) unused.push(known.piece);
  sql.run(
    `UPDATE transcript_entries SET ${WRITTEN.map((column) => `${column} = ?`).join(', ')} WHERE seq = ?`,
    ...values,
    known.seq as number,
  );
  return 0;
}

const HEADS = `SELECT t.*, (SELECT count(*) FROM transcript_entries e WHERE e.transcript_id = t.id) AS entries FROM transcripts t`;

export const queryHeads = (sql: Sql, session: string): readonly TranscriptHead[] =>
  sql.all(`${HEADS} WHERE session_id = ? ORDER BY id`, session).map(headOf);

export const queryUsage = (sql: Sql, sessions: readonly string[]): readonly UsageRecord[] =>
  sql
    .all(
      `SELECT t.session_id, t.format, e.model, ${TOKEN_COLUMNS.map(([column]) => `e.${column}`).join(', ')} FROM transcripts t
       JOIN transcript_entries e ON e.transcript_id = t.id AND e.kind = 'usage'
       WHERE t.session_id IN (SELECT value FROM json_each(?)) ORDER BY e.seq`,
      JSON.stringify(sessions),
    )
    .map((row) => ({
      session: row.session_id as string,
      format: row.format as string,
      model: row.model as string | null,
      tokens: tokensOf(row),
    }));

export const tokensOf = (row: Row): TokenCounts =>
  Object.fromEntries(TOKEN_COLUMNS.map(([column, name]) => [name, row[column] ?? 0])) as unknown as TokenCounts;

/** The newest first: what people look at is right soon. */
export const queryOutdated = (sql: Sql, reader: number): readonly OutdatedTranscript[] =>
  sql
    .all(
      `SELECT t.path, t.agent_id, t.format, s.id, s.agent, s.provider_ref, s.project_path FROM transcripts t
       JOIN sessions s ON s.id = t.session_id WHERE t.reader < ? ORDER BY t.id DESC`,
      reader,
    )
    .map((row) => ({
      session: row.id as string,
      agent: row.agent as string,
      providerRef: row.provider_ref as string,
      projectPath: row.project_path as string,
      path: row.path as string,
      agentId: row.agent_id as string | null,
      format: row.format as string,
    }));

export const queryTranscripts = (sql: Sql, session: string): readonly StoredTranscript[] =>
  sql.all(`${HEADS} WHERE session_id = ? ORDER BY id`, session).map((row) => wholeOf(sql, row));

/** By its id in this store. */
export function transcriptById(sql: Sql, id: number): (StoredTranscript & { readonly session: string }) | undefined {
  const row = sql.get(`${HEADS} WHERE t.id = ?`, id);
  return row && { ...wholeOf(sql, row), session: row.session_id as string };
}

const wholeOf = (sql: Sql, row: Row): StoredTranscript => ({
  ...headOf(row),
  list: sql
    .all('SELECT * FROM transcript_entries WHERE transcript_id = ? ORDER BY seq', row.id as number)
    .map((each) => entryOf(sql, each)),
});

const headOf = (row: Row): TranscriptHead => ({
  path: row.path as string,
  agentId: row.agent_id as string | null,
  format: row.format as string,
  entries: row.entries as number,
  characters: row.characters as number,
  notes: JSON.parse(row.notes as string) as string[],
  mark: {
    file: row.file as string,
    size: row.size as number,
    modifiedMs: row.modified_ms as number,
    consumed: row.consumed as number,
    tail: row.tail as string,
    reader: row.reader as number,
    memory: memoryOf(row),
  },
  expired: row.expired_us !== null,
});

/** With its place: an older Piton reads on and leaves it as it was. A store that is only read may not have it yet. */
const memoryAt = (consumed: number, memory: string): string => `${consumed} ${memory}`;

function memoryOf(row: Row): string {
  const stored = (row.memory ?? '') as string;
  const place = memoryAt(row.consumed as number, '');
  return stored.startsWith(place) ? stored.slice(place.length) : '';
}

const entryOf = (sql: Sql, row: Row): KeptEntry => ({
  kind: row.kind as KeptEntry['kind'],
  at: row.at as string | null,
  text: readText(sql, row),
  cut: row.cut as number,
  model: row.model as string | null,
  name: row.name as string | null,
  useId: row.use_id as string | null,
  failed: row.failed === null ? null : row.failed === 1,
  tokens: row.kind === 'usage' ? tokensOf(row) : null,
});

export interface Age {
  readonly beforeUs: number;
  /** Only these sessions, by their ids in the store. */
  readonly sessions?: readonly string[];
}

/** Drops the texts of up to `limit` entries, oldest first. Times, tools and tokens stay. */
export function dropTexts(sql: Sql, { beforeUs, sessions }: Age, limit: number, nowUs: number): number {
  const rows = sql.all(
    `SELECT e.seq, e.piece, e.transcript_id AS id FROM transcript_entries e WHERE (e.piece IS NOT NULL OR e.text IS NOT NULL) AND e.recorded_us < ?
     ${sessions === undefined ? '' : 'AND e.transcript_id IN (SELECT id FROM transcripts WHERE session_id IN (SELECT value FROM json_each(?)))'}
     ORDER BY e.recorded_us LIMIT ?`,
    ...[beforeUs, ...(sessions === undefined ? [] : [JSON.stringify(sessions)]), limit],
  );
  for (const { seq } of rows) sql.run('UPDATE transcript_entries SET piece = NULL, text = NULL WHERE seq = ?', seq as number);
  dropUnused(
    sql,
    rows.flatMap(({ piece }) => (piece instanceof Uint8Array ? [piece] : [])),
  );
  for (const id of new Set(rows.map((row) => row.id as number))) sql.run('UPDATE transcripts SET expired_us = ? WHERE id = ?', nowUs, id);
  return rows.length;
}
