import type { Migration } from '../migrate.ts';

/** Which versions may read and write this store: each migration says whether those before it still can. Older ones did not look. */
export const READERS: Migration = {
  name: '013-readers',
  statements: [`CREATE TABLE readers (version INTEGER PRIMARY KEY) STRICT`],
};
