import { AGENTS } from '@piton/agents';

/** Agents to name in examples. */
export const [SOME_AGENT = '<name>'] = AGENTS.map(({ id }) => id);
export const SOME_AGENTS = AGENTS.slice(0, 2)
  .map(({ id }) => id)
  .join(',');
