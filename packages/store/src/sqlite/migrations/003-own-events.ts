import type { Migration } from '../migrate.ts';

/** Beside the events of agents, not among them: whoever lists or counts those does not meet Piton's own. */
export const OWN_EVENTS: Migration = {
  name: '003-own-events',
  statements: [
    `CREATE TABLE own_events (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      event TEXT NOT NULL,
      wall_us INTEGER NOT NULL,
      agent TEXT,
      session_ref TEXT,
      project_path TEXT NOT NULL,
      body TEXT NOT NULL,
      redaction TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX own_events_by_name ON own_events (event, seq)`,
    `CREATE INDEX own_events_by_time ON own_events (wall_us)`,
    // The columns of hook_runs: a subscription fares as a hook does.
    `CREATE TABLE own_runs (
      seq INTEGER NOT NULL REFERENCES own_events(seq),
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
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX own_runs_by_hook ON own_runs (hook, seq)`,
    `CREATE INDEX own_failures ON own_runs (seq) WHERE failed IS NOT NULL OR timed_out IS NOT NULL`,
    `CREATE TABLE pushes (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      repo TEXT NOT NULL,
      remote TEXT NOT NULL,
      url TEXT NOT NULL,
      ref TEXT NOT NULL,
      old_sha TEXT NOT NULL,
      new_sha TEXT NOT NULL,
      wall_us INTEGER NOT NULL,
      redaction TEXT NOT NULL,
      UNIQUE (id, ref)
    ) STRICT`,
    `CREATE TABLE push_commits (sha TEXT NOT NULL, push INTEGER NOT NULL REFERENCES pushes(seq), PRIMARY KEY (sha, push)) STRICT, WITHOUT ROWID`,
  ],
};
