import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from '@piton/contracts/places';
import { flush, serverStatus } from './client.ts';
import { ensureServer } from './server-process.ts';

const LIMIT_MS = 3000;

/**
 * After a power cut, what happened last may lie in the journal of a server that is gone, and how commands ended in a transcript that
 * nobody has read. A server brings both into the store, as it would at the next event of an agent.
 */
export async function storeLastEvents(places: Places, env: NodeJS.ProcessEnv): Promise<void> {
  const reply = await flush(places, LIMIT_MS);
  if (reply.ok || reply.why !== 'absent') return;
  // What is stored is shown without one too.
  await ensureServer(places, env).catch(() => undefined);
  await untilAdopted(places);
  await flush(places, LIMIT_MS);
}

/** It stores the journals of others beside all that it does. */
async function untilAdopted(places: Places): Promise<void> {
  const began = Date.now();
  while (Date.now() - began < LIMIT_MS) {
    const status = await serverStatus(places);
    if (!status.ok || (status.value.store.ok && status.value.journal.waiting === 0)) return;
    await sleep(25);
  }
}
