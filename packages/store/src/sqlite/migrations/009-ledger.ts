import type { Migration } from '../migrate.ts';

/**
 * The ledger: what sessions have done, one row a fact. Events from before it have none: their bodies may be gone, and a migration
 * must not read a million of them.
 *
 * What was observed of a session can expire, or be deleted by the person; then a row without its text stays, so that the same
 * observation is not made again.
 */
export const LEDGER: Migration = {
  name: '009-ledger',
  statements: [
    `CREATE TABLE ledger (
      seq INTEGER PRIMARY KEY,
      event_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions(id),
      kind TEXT NOT NULL,
      wall_us INTEGER NOT NULL,
      use_id TEXT,
      ok INTEGER,
      exit_code INTEGER,
      body TEXT NOT NULL,
      redaction TEXT NOT NULL,
      UNIQUE (event_id, at)
    ) STRICT`,
    `CREATE INDEX ledger_by_session ON ledger (session_id, wall_us)`,
    `CREATE INDEX ledger_without_end ON ledger (session_id, use_id) WHERE ok IS NULL AND kind = 'command'`,
    `CREATE INDEX sessions_by_repo ON sessions (repo, last_us)`,
    `ALTER TABLE observations ADD COLUMN expires_us INTEGER`,
    `ALTER TABLE observations ADD COLUMN deleted_us INTEGER`,
    `CREATE INDEX observations_by_kind ON observations (kind, wall_us)`,
  ],
};
