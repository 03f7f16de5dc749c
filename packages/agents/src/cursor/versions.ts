import type { AgentVersions } from '@piton/contracts';

/** None was driven. */
export const versions: AgentVersions = { oldest: null, told: { payload: ['cursor_version'] }, differences: [] };
