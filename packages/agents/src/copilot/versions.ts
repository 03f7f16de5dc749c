import type { AgentVersions } from '@piton/contracts';

export const versions: AgentVersions = {
  oldest: '1.0.40',
  told: { transcript: ['data', 'copilotVersion'] },
  differences: [
    {
      below: '1.0.102', // seen in 1.0.70; those between were not looked at
      behaviour: "A tool's arguments arrive as a text with JSON in it.",
      answer: 'The text is read like the object that newer versions send.',
    },
  ],
  updatesItself: true, // into a cache of its own, from which the installed program starts the newest
};
