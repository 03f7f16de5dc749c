import type { AgentVersions } from '@piton/contracts';

/** The oldest that was driven takes the same plugin. */
export const versions: AgentVersions = {
  oldest: '7.0.33',
  told: { payload: ['input', 'event', 'properties', 'info', 'version'] },
  differences: [],
};
