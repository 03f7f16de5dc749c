import type { Migration } from '../migrate.ts';

/**
 * Rules get better, and what an older one let through must go. Events stay append-only for everybody but one
 * transaction that says so: it puts a row into `rewriting`, changes texts, and takes the row out again.
 */
const REWRITTEN = `EXISTS (SELECT 1 FROM rewriting) AND NEW.seq = OLD.seq AND NEW.event_id = OLD.event_id AND NEW.session_id IS OLD.session_id
  AND NEW.wall_us = OLD.wall_us AND NEW.recorded_us = OLD.recorded_us AND NEW.expired_us IS OLD.expired_us`;

// As in 001: a migration that was released is never edited, so its words are not shared either.
const BODY_DROPPED = `NEW.expired_us IS NOT NULL AND NEW.text IS NULL AND NEW.payload IS NULL AND NEW.payload_body IS NULL
  AND NEW.outcome IS NULL AND NEW.outcome_body IS NULL`;
const SUPERSEDED = 'OLD.late = 1 AND NEW.late = 0 AND NEW.seq = OLD.seq AND NEW.event_id = OLD.event_id';
const HEADER_COLUMNS =
  `seq event_id session_id agent event provider_ref project_path received_at recorded_us names native_event via late derived
  parent_id depth run boot_id monotonic_us wall_us pid ppid terminal truncated payload_size sender canary tool_name tool_native tool_kind
  tool_use_id tool_command tool_files source agent_id transcript_path model repo branch problems server_us redaction prompt`.split(/\s+/);

export const REWRITE: Migration = {
  name: '002-rewrite',
  statements: [
    `CREATE TABLE rewriting (only INTEGER PRIMARY KEY CHECK (only = 1)) STRICT`,
    `DROP TRIGGER headers_are_kept`,
    `DROP TRIGGER bodies_are_kept`,
    `CREATE TRIGGER headers_are_kept BEFORE UPDATE OF ${HEADER_COLUMNS.join(', ')} ON events WHEN NOT (${SUPERSEDED}) AND NOT (${REWRITTEN})
     BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `CREATE TRIGGER bodies_are_kept BEFORE UPDATE OF expired_us, text, payload, payload_body, outcome, outcome_body ON events
     WHEN NOT (${SUPERSEDED}) AND NOT (${BODY_DROPPED}) AND NOT (${REWRITTEN}) BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    `ALTER TABLE observations ADD COLUMN redaction TEXT NOT NULL DEFAULT ''`,
  ],
};
