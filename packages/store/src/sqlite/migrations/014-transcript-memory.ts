import type { Migration } from '../migrate.ts';

/** What earlier lines of a transcript say about later ones, which are often read later: a Codex rollout names its model once a turn. */
export const TRANSCRIPT_MEMORY: Migration = {
  name: '014-transcript-memory',
  statements: [`ALTER TABLE transcripts ADD COLUMN memory TEXT NOT NULL DEFAULT ''`],
  keepsReaders: true,
  readsWithout: true,
};
