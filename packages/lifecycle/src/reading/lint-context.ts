import type { LintContext } from '@piton/artifacts';
import type { Agent } from '@piton/contracts';
import { matcherFits, nearestName, readEntry } from '@piton/hooks';

/** Every name of every agent, for `target_harnesses`. */
export const agentNames = (agents: readonly Agent[]): ReadonlyMap<string, string> =>
  new Map(agents.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id] as const)));

/** What lint needs from other packages: the same readers that run hooks. */
export function lintContext(agents: readonly Agent[]): LintContext {
  const names = agentNames(agents);
  return {
    agents,
    readEntry(entry) {
      const { hook, wrong, unknown } = readEntry(entry, 'it', names, () => '');
      return { event: hook?.event, wrong, unknown };
    },
    nearestName,
    matcherFits: (matcher, tool) => matcherFits({ event: 'pre_tool_use', matcher, failClosed: false }, tool),
  };
}
