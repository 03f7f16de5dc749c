import { AGENTS } from '@piton/agents';
import type { Places } from '@piton/contracts/places';
import { createRegistry, type LastResortPorts, refreshLastResorts } from '@piton/hooks';
import { READING } from './hooks/in-force.ts';
import { reload } from './server/client.ts';

export const lastResortPorts = ({ home, config, trust }: Places): LastResortPorts => ({
  ...{ home, config, trustDir: trust, agents: AGENTS },
  registry: createRegistry({ config, trustDir: trust, ...READING }),
});

/** Saves what must hold if no server answers, also in places where none has ever run. */
export function keepLastResorts(places: Places): void {
  refreshLastResorts(lastResortPorts(places), 'all');
}

/** After a command has changed hooks, trust or settings: updates what is saved for the time without a server, and the running server. */
export async function hooksChanged(places: Places): Promise<void> {
  try {
    keepLastResorts(places);
  } catch {
    // The change itself is done. `doctor` reports that this is stale, and a running server tries again.
  }
  await reload(places);
}
