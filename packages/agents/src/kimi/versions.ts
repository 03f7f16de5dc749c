import type { AgentVersions } from '@piton/contracts';

/** The oldest that was driven takes the same tables and answers. */
export const versions: AgentVersions = { oldest: '0.26.0', differences: [] };
