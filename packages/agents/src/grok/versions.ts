import type { AgentVersions } from '@piton/contracts';

/** Only the proven version was driven. */
export const versions: AgentVersions = { oldest: null, differences: [] };
