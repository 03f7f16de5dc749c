import type { Migration } from '../migrate.ts';

/** How a hook has fared is asked by its id, over everything that was ever recorded. */
export const HOOK_STATS: Migration = {
  name: '004-hook-stats',
  statements: [
    `CREATE INDEX hook_runs_by_hook ON hook_runs (hook, seq) WHERE did = 'ran'`,
    `CREATE INDEX hook_failures_by_hook ON hook_runs (hook, seq) WHERE failed IS NOT NULL OR timed_out IS NOT NULL`,
  ],
};
