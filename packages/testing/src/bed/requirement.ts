import { describeWhere } from '../requirement.ts';
import { isInstalled, pinnedAgent } from './agents.ts';
import { whyNotIsolated } from './isolation.ts';

/** A run takes some seconds; a busy machine may take very many times that. */
const RUN_LIMIT_MS = 300_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Why the real agent cannot be driven here, or null. */
export function whyNotDriven(id: string, env: Environment, isolation: () => string | null = whyNotIsolated): string | null {
  return isInstalled(pinnedAgent(id), env) ? isolation() : 'not installed, run npm run test:agents';
}

/** A suite with a real agent. */
export function describeReal(id: string, title: string, suite: () => void): void {
  describeWhere(whyNotDriven(id, process.env), `real ${id}: ${title}`, suite, RUN_LIMIT_MS);
}

/** A suite that needs the namespaces only. */
export function describeIsolated(title: string, suite: () => void): void {
  describeWhere(whyNotIsolated(), title, suite);
}
