import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = {
  oldest: '1.0.5',
  differences: [
    {
      below: '1.0.41', // seen in 1.0.5; no version between is published
      behaviour: 'Before a tool it reads `decision` alone, takes no question and no context, and a prompt cannot be refused.',
      answer: 'A deny is said in both forms. For a hook that must hold: deny, and not ask.',
    },
  ],
};
