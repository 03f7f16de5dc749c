import type { LintAgent, Subject } from './context.ts';

/** The agents that a hook names, or all. */
export function targetsOf(entry: Subject['entry'], agents: readonly LintAgent[]): readonly LintAgent[] {
  const { target_harnesses: named } = entry;
  if (named === undefined) return agents;
  const names = (Array.isArray(named) ? named : [named]).map((name) => String(name).toLowerCase());
  return agents.filter(({ id, aliases }) => names.some((name) => name === id || aliases.includes(name)));
}
