import type { Migration } from '../migrate.ts';

/** Headers first, bodies last: a listing that reads headers never touches the pages that a long body spills onto. */
const EVENTS = `CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  session_id TEXT REFERENCES sessions(id),
  agent TEXT NOT NULL,
  event TEXT NOT NULL,
  provider_ref TEXT NOT NULL,
  project_path TEXT NOT NULL,
  received_at TEXT NOT NULL,
  recorded_us INTEGER NOT NULL,
  names TEXT NOT NULL,
  native_event TEXT NOT NULL,
  via TEXT NOT NULL,
  late INTEGER NOT NULL,
  derived INTEGER NOT NULL,
  parent_id TEXT,
  depth INTEGER NOT NULL,
  run TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  monotonic_us INTEGER NOT NULL,
  wall_us INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  ppid INTEGER NOT NULL,
  terminal INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  payload_size INTEGER NOT NULL,
  sender TEXT NOT NULL,
  canary INTEGER NOT NULL,
  tool_name TEXT,
  tool_native TEXT,
  tool_kind TEXT,
  tool_use_id TEXT,
  tool_command TEXT,
  tool_files TEXT,
  source TEXT,
  agent_id TEXT,
  transcript_path TEXT,
  model TEXT,
  repo TEXT,
  branch TEXT,
  problems TEXT,
  server_us INTEGER,
  redaction TEXT NOT NULL,
  prompt TEXT,
  expired_us INTEGER,
  text TEXT,
  payload TEXT,
  payload_body BLOB,
  outcome TEXT,
  outcome_body BLOB
) STRICT`;

const SESSIONS = `CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  provider_ref TEXT NOT NULL,
  phase TEXT NOT NULL,
  depth INTEGER NOT NULL,
  parent_id TEXT,
  project_path TEXT NOT NULL,
  repo TEXT,
  branch TEXT,
  model TEXT,
  source TEXT,
  transcript_path TEXT,
  started_us INTEGER NOT NULL,
  last_us INTEGER NOT NULL,
  ended_us INTEGER,
  end_reason TEXT,
  events INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  tools INTEGER NOT NULL,
  denials INTEGER NOT NULL,
  compactions INTEGER NOT NULL,
  commits INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  pid INTEGER NOT NULL,
  ppid INTEGER NOT NULL,
  state TEXT NOT NULL,
  UNIQUE (agent, provider_ref)
) STRICT`;

const TURNS = `CREATE TABLE turns (
  session_id TEXT NOT NULL REFERENCES sessions(id),
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_us INTEGER NOT NULL,
  ended_us INTEGER,
  closed TEXT,
  tools INTEGER NOT NULL,
  denials INTEGER NOT NULL,
  commits INTEGER NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID`;

const HOOK_RUNS = `CREATE TABLE hook_runs (
  seq INTEGER NOT NULL REFERENCES events(seq),
  at INTEGER NOT NULL,
  hook TEXT NOT NULL,
  scope TEXT NOT NULL,
  event TEXT NOT NULL,
  did TEXT NOT NULL,
  why TEXT,
  exit_code INTEGER,
  duration_ms REAL,
  timed_out TEXT,
  failed TEXT,
  note TEXT,
  said TEXT,
  observed INTEGER NOT NULL,
  PRIMARY KEY (seq, at)
) STRICT, WITHOUT ROWID`;

/** Only what was said: an event that was merely observed has no row. */
const DECISIONS = `CREATE TABLE decisions (
  seq INTEGER PRIMARY KEY REFERENCES events(seq),
  decision TEXT NOT NULL,
  verdict TEXT NOT NULL,
  reason TEXT,
  continued INTEGER NOT NULL,
  delivered TEXT NOT NULL
) STRICT`;

const OBSERVATIONS = `CREATE TABLE observations (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  kind TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  monotonic_us INTEGER NOT NULL,
  wall_us INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT`;

/** A body is dropped by setting it to null, and nothing else beside it. */
const BODY_DROPPED = `NEW.expired_us IS NOT NULL AND NEW.text IS NULL AND NEW.payload IS NULL AND NEW.payload_body IS NULL
  AND NEW.outcome IS NULL AND NEW.outcome_body IS NULL`;
const SUPERSEDED = 'OLD.late = 1 AND NEW.late = 0 AND NEW.seq = OLD.seq AND NEW.event_id = OLD.event_id';
const HEADER_COLUMNS = [...EVENTS.matchAll(/^ {2}([a-z_]+) /gm)]
  .map((match) => match[1] as string)
  .filter((name) => !['expired_us', 'text', 'payload', 'payload_body', 'outcome', 'outcome_body'].includes(name));

export const FIRST: Migration = {
  name: '001-first',
  statements: [
    `CREATE TABLE bodies (sha256 BLOB PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL) STRICT, WITHOUT ROWID`,
    SESSIONS,
    `CREATE INDEX sessions_by_time ON sessions (last_us)`,
    EVENTS,
    `CREATE INDEX events_by_session ON events (session_id, seq)`,
    `CREATE INDEX events_by_agent ON events (agent, seq)`,
    `CREATE INDEX events_by_name ON events (event, seq)`,
    `CREATE INDEX events_by_time ON events (wall_us)`,
    `CREATE INDEX events_with_body ON events (recorded_us) WHERE expired_us IS NULL`,
    `CREATE INDEX events_by_payload ON events (payload_body) WHERE payload_body IS NOT NULL`,
    `CREATE INDEX events_by_outcome ON events (outcome_body) WHERE outcome_body IS NOT NULL`,
    `CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `CREATE TRIGGER headers_are_kept BEFORE UPDATE OF ${HEADER_COLUMNS.join(', ')} ON events WHEN NOT (${SUPERSEDED})
     BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `CREATE TRIGGER bodies_are_kept BEFORE UPDATE OF expired_us, text, payload, payload_body, outcome, outcome_body ON events
     WHEN NOT (${SUPERSEDED}) AND NOT (${BODY_DROPPED}) BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    TURNS,
    HOOK_RUNS,
    `CREATE INDEX hook_failures ON hook_runs (seq) WHERE failed IS NOT NULL OR timed_out IS NOT NULL`,
    DECISIONS,
    OBSERVATIONS,
    `CREATE INDEX observations_by_session ON observations (session_id)`,
    `CREATE VIRTUAL TABLE search USING fts5(prompt, command, paths, tokenize = 'unicode61 remove_diacritics 2')`,
    // How far the full-text index has come, and which of the events before that changed since.
    `CREATE TABLE search_progress (only INTEGER PRIMARY KEY CHECK (only = 1), seq INTEGER NOT NULL) STRICT`,
    `INSERT INTO search_progress VALUES (1, 0)`,
    `CREATE TABLE search_again (seq INTEGER PRIMARY KEY) STRICT`,
  ],
};
