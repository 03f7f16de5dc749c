import type { AgentVersions } from '@piton/contracts';

/** The oldest that was driven takes the same table. 0.99.0 starts, fires `SessionStart`, and was not seen to end a turn. */
export const versions: AgentVersions = { oldest: '0.105.1', differences: [] };
