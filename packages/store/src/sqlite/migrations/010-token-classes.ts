import type { Migration } from '../migrate.ts';

/**
 * Two classes of tokens that were not told apart. What is stored was read without them: `reader` is the version of the reading, and
 * whoever reads transcripts goes over those of an older one again, if the agent still has them.
 */
export const TOKEN_CLASSES: Migration = {
  name: '010-token-classes',
  statements: [
    `ALTER TABLE transcript_entries ADD COLUMN reasoning INTEGER`,
    `ALTER TABLE transcript_entries ADD COLUMN cache_write_1h INTEGER`,
    `ALTER TABLE transcripts ADD COLUMN reader INTEGER NOT NULL DEFAULT 0`,
  ],
};
