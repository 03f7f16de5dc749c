import type { Migration } from '../migrate.ts';

/**
 * What happened in a directory, for a search there. Most events happen at the root of their repository, and that is another index: the
 * one of directories has only the others. That of sessions has all that the filter of a search asks of them.
 */
export const PLACES: Migration = {
  name: '015-places',
  statements: [
    `CREATE INDEX events_in_directories ON events (project_path, repo) WHERE project_path IS NOT repo`,
    `CREATE INDEX sessions_by_place ON sessions (repo, project_path, agent, branch, id)`,
  ],
  keepsReaders: true,
  readsWithout: true,
};
