import type { Migration } from '../migrate.ts';

/**
 * Listings of what is rare among a million events: by the name of a kind, by what was denied, and by repository. An index that is
 * read in the order of `seq` ends with the last row of the page.
 *
 * An event has one name or two, the generic one first. The expression is the last of them, which is the one of its kind.
 */
export const LISTINGS: Migration = {
  name: '007-listings',
  statements: [
    `CREATE INDEX events_by_kind_name ON events (substr(names, instr(names, ' ') + 1), seq)`,
    `CREATE INDEX events_by_repo ON events (repo, seq) WHERE repo IS NOT NULL`,
    `CREATE INDEX decisions_by_name ON decisions (decision, seq)`,
  ],
};
