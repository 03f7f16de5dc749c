import type { Migration } from '../migrate.ts';

/**
 * One sequence for every insert and change, so that "everything since N" is complete.
 *
 * Each record has one row, under its latest number: a change deletes the old row and inserts a new one at the end. Numbers are never
 * reused (AUTOINCREMENT), and they become visible in order: SQLite has one writer at a time, which holds the lock from before it takes
 * the first number until the commit, so no reader sees a number before a smaller one. PostgreSQL does not guarantee that (`nextval`
 * comes before the commit, and a slower transaction fills the gap later). There, every transaction that takes numbers must first take
 * one lock (`pg_advisory_xact_lock`), or readers must stop before the oldest open transaction (`pg_snapshot_xmin`).
 *
 * Triggers do it, so that no future writer can forget it. Turns are written with their session, decisions and the runs before the
 * answer with their event, and new entries of a transcript with its head.
 *
 * Events from before this migration have no row: their `seq` is their number, and new numbers begin after the last of them, so that
 * a million rows need not be written. The other tables are small.
 */
const numbered = (kind: string, ref: string): string =>
  `DELETE FROM changes WHERE kind = '${kind}' AND ref = ${ref}; INSERT INTO changes (kind, ref) VALUES ('${kind}', ${ref});`;
const trigger = (name: string, when: string, kind: string, ref: string): string =>
  `CREATE TRIGGER ${name} AFTER ${when} BEGIN ${numbered(kind, ref)} END`;
/** No `ON CONFLICT` here: if the statement that fires a trigger has one, SQLite uses that instead. */
const both = (table: string, kind: string, ref: string): string[] => [
  trigger(`${table}_are_numbered`, `INSERT ON ${table}`, kind, `NEW.${ref}`),
  trigger(`${table}_are_numbered_again`, `UPDATE ON ${table}`, kind, `NEW.${ref}`),
];

export const CHANGES: Migration = {
  name: '006-changes',
  statements: [
    // `ref` is what stays the same when the file is compacted: a number where the table has one, otherwise the id.
    `CREATE TABLE changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, ref ANY NOT NULL, UNIQUE (kind, ref)) STRICT`,
    `CREATE TABLE change_origin (only INTEGER PRIMARY KEY CHECK (only = 1), store TEXT NOT NULL, events INTEGER NOT NULL) STRICT`,
    `INSERT INTO change_origin SELECT 1, lower(hex(randomblob(16))), coalesce(max(seq), 0) FROM events`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'changes', events FROM change_origin`,
    `INSERT INTO changes (kind, ref) SELECT 'session', id FROM sessions ORDER BY last_us`,
    `INSERT INTO changes (kind, ref) SELECT 'observation', id FROM observations ORDER BY wall_us`,
    `INSERT INTO changes (kind, ref) SELECT 'piton-event', seq FROM own_events ORDER BY seq`,
    `INSERT INTO changes (kind, ref) SELECT 'push', seq FROM pushes ORDER BY seq`,
    `INSERT INTO changes (kind, ref) SELECT 'transcript', id FROM transcripts ORDER BY id`,
    ...both('events', 'event', 'seq'),
    ...both('sessions', 'session', 'id'),
    ...both('observations', 'observation', 'id'),
    ...both('own_events', 'piton-event', 'seq'),
    ...both('pushes', 'push', 'seq'),
    ...both('transcripts', 'transcript', 'id'),
    // Hooks that ran after the answer. Those before it are written with their event.
    trigger('later_runs_are_numbered', 'INSERT ON hook_runs WHEN NEW.observed = 1', 'event', 'NEW.seq'),
    trigger('own_runs_are_numbered', 'INSERT ON own_runs', 'piton-event', 'NEW.seq'),
    trigger(
      'rewritten_entries_are_numbered',
      'UPDATE ON transcript_entries WHEN EXISTS (SELECT 1 FROM rewriting)',
      'transcript',
      'NEW.transcript_id',
    ),
    `CREATE TABLE change_readers (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
    // To load a push with its commits.
    `CREATE INDEX push_commits_by_push ON push_commits (push)`,
    // When a hook started, in µs since its event.
    `ALTER TABLE hook_runs ADD COLUMN started_us INTEGER`,
    `ALTER TABLE own_runs ADD COLUMN started_us INTEGER`,
  ],
};
