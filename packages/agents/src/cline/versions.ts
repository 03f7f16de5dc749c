import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = { oldest: '3.0.57', differences: [] };
