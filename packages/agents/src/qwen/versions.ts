import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = { oldest: '0.21.2', told: { transcript: ['version'] }, differences: [] };
