import type { AgentVersions } from '@piton/contracts';

/** None was driven. */
export const versions: AgentVersions = { oldest: null, differences: [] };
