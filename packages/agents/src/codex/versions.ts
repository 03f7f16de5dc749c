import type { AgentVersions } from '@piton/contracts';

/** 0.131.0, 0.134.0, 0.137.0 and 0.140.0 ran no hook at all; an event that it does not know does no harm (0.143.0: `SessionEnd`). */
export const versions: AgentVersions = { oldest: '0.143.0', told: { transcript: ['payload', 'cli_version'] }, differences: [] };
