import { AGENTS } from '@piton/agents';
import type { LintWorld } from '@piton/artifacts';
import { matcherFits, nearestName, readEntry } from '@piton/hooks';

/** Every name of every agent, for `target_harnesses`. */
export const AGENT_NAMES: ReadonlyMap<string, string> = new Map(
  AGENTS.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id] as const)),
);

/** What lint asks the other rooms: the same readers that run hooks. */
export const LINT_WORLD: LintWorld = {
  agents: AGENTS,
  readEntry(entry) {
    const { hook, wrong, unknown } = readEntry(entry, 'it', AGENT_NAMES, () => '');
    return { event: hook?.event, wrong, unknown };
  },
  nearestName,
  matcherFits: (matcher, tool) => matcherFits({ event: 'pre_tool_use', matcher, failClosed: false }, tool),
};
