import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = { oldest: '0.35.3', differences: [] };
