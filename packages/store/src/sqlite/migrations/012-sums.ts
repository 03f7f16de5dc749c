import { BUCKET_US } from '../../sums.ts';
import type { Migration } from '../migrate.ts';

/** From one event to the first one of a later quarter of an hour, by the index: not over all of them. */
const QUARTERS = `WITH RECURSIVE quarter(at) AS (
  SELECT min(wall_us) / ${BUCKET_US} FROM events
  UNION ALL SELECT (SELECT min(wall_us) FROM events WHERE wall_us >= (at + 1) * ${BUCKET_US}) / ${BUCKET_US} FROM quarter WHERE at IS NOT NULL
) SELECT at FROM quarter WHERE at IS NOT NULL`;

const again = (when: string, table: string, condition: string, statement: string, name: string): string =>
  `CREATE TRIGGER ${name} AFTER ${when} ON ${table} ${condition} BEGIN ${statement}; END`;

const COUNT_EVENT = `INSERT INTO sums_again SELECT NEW.wall_us / ${BUCKET_US} WHERE NOT EXISTS (SELECT 1 FROM sums_again WHERE bucket = NEW.wall_us / ${BUCKET_US})`;
const COUNT_USAGE = `INSERT INTO usage_again SELECT NEW.transcript_id WHERE NOT EXISTS (SELECT 1 FROM usage_again WHERE transcript = NEW.transcript_id)`;

/**
 * What is counted of events in each quarter of an hour (every time zone begins its days with one), and of tokens in each transcript.
 * Only what has changed since is counted again, later and in small parts; whoever reads before that counts it for itself.
 */
export const SUMS: Migration = {
  name: '012-sums',
  statements: [
    `CREATE TABLE sums (
      bucket INTEGER NOT NULL,
      agent TEXT NOT NULL,
      repo TEXT NOT NULL,
      turns INTEGER NOT NULL,
      tools INTEGER NOT NULL,
      denials INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      files INTEGER NOT NULL,
      PRIMARY KEY (bucket, agent, repo)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE sums_again (bucket INTEGER PRIMARY KEY) STRICT`,
    `CREATE TABLE usage_sums (
      transcript INTEGER NOT NULL REFERENCES transcripts(id),
      bucket INTEGER NOT NULL,
      model TEXT NOT NULL,
      has_model INTEGER NOT NULL,
      size INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      input INTEGER NOT NULL,
      output INTEGER NOT NULL,
      reasoning INTEGER NOT NULL,
      cache_read INTEGER NOT NULL,
      cache_write INTEGER NOT NULL,
      cache_write_1h INTEGER NOT NULL,
      PRIMARY KEY (transcript, bucket, model, has_model, size)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE usage_again (transcript INTEGER PRIMARY KEY) STRICT`,
    `CREATE INDEX usage_sums_by_time ON usage_sums (bucket)`,
    `CREATE INDEX ledger_files_by_time ON ledger (wall_us) WHERE kind = 'file'`,
    `CREATE INDEX sessions_by_parent ON sessions (parent_id, last_us) WHERE parent_id IS NOT NULL`,
    `CREATE INDEX sessions_at_top ON sessions (last_us) WHERE parent_id IS NULL`,
    `CREATE INDEX sessions_by_phase ON sessions (phase, last_us)`,
    again('INSERT', 'events', '', COUNT_EVENT, 'events_are_counted'),
    again('UPDATE OF wall_us, event, agent, repo, canary, derived', 'events', '', COUNT_EVENT, 'events_are_counted_again'),
    again('INSERT', 'transcript_entries', `WHEN NEW.kind = 'usage'`, COUNT_USAGE, 'usage_is_counted'),
    again(
      'UPDATE OF at, model, input, output, reasoning, cache_read, cache_write, cache_write_1h',
      'transcript_entries',
      `WHEN NEW.kind = 'usage'`,
      COUNT_USAGE,
      'usage_is_counted_again',
    ),
    `INSERT INTO sums_again ${QUARTERS}`,
    `INSERT INTO usage_again SELECT id FROM transcripts`,
  ],
};
