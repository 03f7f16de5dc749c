import { describe, test } from 'vitest';
import { isInstalled, pinnedAgent } from './agents.ts';
import { whyNotIsolated } from './isolation.ts';

/** A run takes some seconds; a busy machine may take very many times that. */
const RUN_LIMIT_MS = 300_000;

type Environment = Readonly<Record<string, string | undefined>>;

export type Requirement = { readonly met: true } | { readonly met: false; readonly why: string; readonly fatal: boolean };

/** May the real agent be driven here, and if not, may it be left out? On CI, and when the agents were asked for, it may not. */
export function requirementOf(id: string, env: Environment, isolation: () => string | null = whyNotIsolated): Requirement {
  const asked = Boolean(env.PITON_REQUIRE_AGENTS);
  const ci = Boolean(env.CI) && env.CI !== 'false';
  // The second half of the same job plays them all: not twice.
  if (env.PITON_AGENTS_LATER && !asked) return { met: false, why: 'played later, by npm run test:agents', fatal: false };
  if (!isInstalled(pinnedAgent(id), env)) {
    return { met: false, why: 'not installed, run npm run test:agents', fatal: asked || ci };
  }
  const obstacle = isolation();
  return obstacle === null ? { met: true } : { met: false, why: obstacle, fatal: asked || ci };
}

/** A suite with a real agent: it runs, or it says by name that it does not. */
export function describeReal(id: string, title: string, suite: () => void): void {
  const requirement = requirementOf(id, process.env);
  if (requirement.met) return void describe(`real ${id}: ${title}`, { timeout: RUN_LIMIT_MS }, suite);
  const line = `real ${id}: ${requirement.why} (${title})`;
  if (requirement.fatal) throw new Error(line);
  console.warn(`SKIPPED ${line}`);
  test.skip(`SKIPPED ${line}`, () => {});
}

/** The same for what needs the namespaces only. */
export function describeIsolated(title: string, suite: () => void): void {
  const obstacle = whyNotIsolated();
  if (obstacle === null) return void describe(title, suite);
  if (process.env.CI && process.env.CI !== 'false') throw new Error(`${title}: ${obstacle}`);
  console.warn(`SKIPPED ${title}: ${obstacle}`);
  test.skip(`SKIPPED ${title}: ${obstacle}`, () => {});
}
