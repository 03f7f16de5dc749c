import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = { oldest: '17.2.15', differences: [] };
