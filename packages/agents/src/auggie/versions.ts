import type { AgentVersions } from '@piton/contracts';

/** The registry has none between 0.25.2 and 0.36.0. */
export const versions: AgentVersions = {
  oldest: '0.16.2',
  differences: [
    {
      below: '0.36.0',
      behaviour:
        'It has no `PromptSubmit`, and complains at every start where one is registered. A changed input has no effect, and the tool runs with its own.',
      answer:
        '`PromptSubmit` is not registered: a session begins its turn without it. For such a call a hook should deny, and not change the input.',
    },
  ],
};
