import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = {
  oldest: '1.2.27',
  told: { payload: ['input', 'event', 'properties', 'info', 'version'] },
  differences: [],
};
