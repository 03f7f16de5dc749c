import type { Migration } from '../migrate.ts';

const TRANSCRIPTS = `CREATE TABLE transcripts (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  path TEXT NOT NULL,
  agent_id TEXT,
  format TEXT NOT NULL,
  file TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  consumed INTEGER NOT NULL,
  tail TEXT NOT NULL,
  characters INTEGER NOT NULL,
  notes TEXT NOT NULL,
  expired_us INTEGER,
  UNIQUE (session_id, path)
) STRICT`;

/** Text last: a sum of tokens never touches the pages that a long text spills onto. */
const ENTRIES = `CREATE TABLE transcript_entries (
  seq INTEGER PRIMARY KEY,
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),
  key BLOB NOT NULL,
  kind TEXT NOT NULL,
  at TEXT,
  recorded_us INTEGER NOT NULL,
  cut INTEGER NOT NULL,
  model TEXT,
  name TEXT,
  use_id TEXT,
  failed INTEGER,
  input INTEGER,
  output INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  redaction TEXT NOT NULL,
  piece BLOB,
  text TEXT,
  UNIQUE (transcript_id, key)
) STRICT`;

export const TRANSCRIPT_TABLES: Migration = {
  name: '005-transcripts',
  statements: [
    TRANSCRIPTS,
    // What is said again, in this session or another, is kept once.
    `CREATE TABLE pieces (sha256 BLOB PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL) STRICT, WITHOUT ROWID`,
    ENTRIES,
    `CREATE INDEX transcript_entries_by_piece ON transcript_entries (piece) WHERE piece IS NOT NULL`,
    `CREATE INDEX transcript_entries_with_text ON transcript_entries (recorded_us) WHERE piece IS NOT NULL OR text IS NOT NULL`,
  ],
};
