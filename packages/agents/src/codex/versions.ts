import type { AgentVersions } from '@piton/contracts';

/**
 * Up to 0.140.0 `codex exec` ignores `--dangerously-bypass-hook-trust`, and runs what a person has trusted, as on a terminal.
 * 0.131.0 has no `SubagentStart` and `SubagentStop`, and was not seen to run a hook with them in its file.
 */
export const versions: AgentVersions = {
  oldest: '0.134.0',
  told: { transcript: ['payload', 'cli_version'] },
  differences: [
    {
      below: '0.145.0',
      behaviour: 'It has no `SessionEnd`, and leaves a registration of it out of its list of hooks.',
      answer: '`SessionEnd` is not registered: the list, by which `init` asks for trust and `status` says that hooks run, is whole.',
    },
    {
      below: '0.141.0',
      behaviour: '`codex exec` takes `--dangerously-bypass-hook-trust`, says so, and runs no hook that is not trusted.',
      answer: 'Trust them: `piton init --agent codex --trust-hooks`.',
    },
  ],
};
