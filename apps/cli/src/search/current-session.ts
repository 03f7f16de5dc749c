import { readFileSync } from 'node:fs';
import type { SessionSummary, Store } from '@piton/store';
import { evidenceOfAgent, parentPids } from '../agents/under-agent.ts';

/** More sessions than run at once on one machine. */
const MOST_OPEN = 200;

/**
 * The session of the agent that runs this command, by its process; undefined for a person. An agent that searches knows what it
 * said itself, and would find its own question first.
 */
export async function currentSession(store: Store, env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  return evidenceOfAgent(env) === undefined ? undefined : (await sessionsOfParents(store))[0]?.id;
}

/** The open sessions whose agent is among the processes that started this one, the latest first. */
export async function sessionsOfParents(store: Store): Promise<SessionSummary[]> {
  const parents = new Set(parentPids());
  const boot = bootId();
  const open = await store.sessions({ limit: MOST_OPEN });
  return open.filter(
    ({ phase, bootId: session, ppid }) => phase !== 'ended' && parents.has(ppid) && (boot === undefined || session === boot),
  );
}

function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined; // no /proc here
  }
}
