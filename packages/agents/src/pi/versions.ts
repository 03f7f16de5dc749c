import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = { oldest: '0.74.2', differences: [] };
