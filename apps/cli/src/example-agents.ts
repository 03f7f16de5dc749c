import { AGENTS } from '@piton/agents';

/** The agents that examples name. */
export const [SOME_AGENT = '<name>'] = AGENTS.map(({ id }) => id);
export const SOME_AGENTS = AGENTS.slice(0, 2)
  .map(({ id }) => id)
  .join(',');
