import type { Migration } from '../migrate.ts';

/** What happened on a branch among a million events, and in which sessions: a search for a word that is everywhere looks there first. */
export const BRANCHES: Migration = {
  name: '011-branches',
  statements: [
    `CREATE INDEX events_by_branch ON events (branch, seq) WHERE branch IS NOT NULL`,
    `CREATE INDEX sessions_by_branch ON sessions (branch) WHERE branch IS NOT NULL`,
  ],
};
