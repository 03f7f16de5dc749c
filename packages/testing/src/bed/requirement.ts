import { describeWhere } from '../requirement.ts';
import { isInstalled, pinnedAgent } from './agents.ts';
import { whyNotIsolated } from './isolation.ts';

/** A run takes some seconds, and much longer on a busy machine. */
export const RUN_LIMIT_MS = 300_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Why the real agent cannot be run here, or null. */
export function whyNotDriven(id: string, env: Environment, isolation: () => string | null = whyNotIsolated): string | null {
  return isInstalled(pinnedAgent(id), env) ? isolation() : 'not installed, run npm run test:agents';
}

/** A suite with a real agent. */
export function describeReal(id: string, title: string, suite: () => void): void {
  describeWhere(whyNotDriven(id, process.env), `real ${id}: ${title}`, suite, RUN_LIMIT_MS);
}

/** A suite that needs only the namespaces. */
export function describeIsolated(title: string, suite: () => void): void {
  describeWhere(whyNotIsolated(), title, suite);
}
