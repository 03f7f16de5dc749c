import type { Waiting } from '@piton/contracts/page';
import type { Places } from '@piton/contracts/places';
import { Failure } from '../failure.ts';
import { readStore } from '../open-store.ts';
import { currentWaits } from '../waiting/current-waits.ts';
import type { AgentStatus } from './agent-status.ts';
import { type UnknownCaller, unknownCallers } from './unknown-callers.ts';

export interface StoreStatus {
  readonly ok: boolean;
  readonly error: string;
  readonly events: number;
  readonly sessions: number;
  /** Canaries that arrived and cannot be read back. */
  readonly missing: readonly string[];
  /** Who runs the hooks of an agent without being it. */
  readonly callers: readonly UnknownCaller[];
  /** Who waits for the person. */
  readonly waiting: readonly Waiting[];
}

/** Reads the canaries back from the store: arriving at the server is not enough. */
export async function storeStatus(places: Places, agents: readonly AgentStatus[]): Promise<StoreStatus> {
  const sent = agents.flatMap(({ canaries }) => canaries.flatMap(({ canary }) => (canary.arrived ? [canary.eventId] : [])));
  try {
    return await readStore<StoreStatus>(
      places,
      async (store) => {
        const { events, sessions } = await store.sizes();
        const missing: string[] = [];
        for (const id of sent) if ((await store.event(id)).found !== 'one') missing.push(id);
        return {
          ok: missing.length === 0,
          error: missing.length === 0 ? '' : 'a test event that arrived is not in the store',
          events,
          sessions,
          missing,
          callers: await unknownCallers(store),
          waiting: await currentWaits(store),
        };
      },
      { ok: sent.length === 0, error: 'nothing stored yet', events: 0, sessions: 0, missing: sent, callers: [], waiting: [] },
    );
  } catch (error) {
    if (error instanceof Failure)
      return { ok: false, error: error.message, events: 0, sessions: 0, missing: sent, callers: [], waiting: [] };
    throw error;
  }
}
