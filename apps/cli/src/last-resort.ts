import { AGENTS } from '@piton/agents';
import type { Places } from '@piton/contracts/places';
import { createRegistry, type LastResortPorts, refreshLastResorts } from '@piton/hooks';
import { READING } from './hooks-in-force.ts';
import { reload } from './server/client.ts';

export const lastResortPorts = ({ home, config, trust }: Places): LastResortPorts => ({
  ...{ home, config, trustDir: trust, agents: AGENTS },
  registry: createRegistry({ config, trustDir: trust, ...READING }),
});

/** Writes down what must hold where no server answers: also for a place where none has ever run. */
export function keepLastResorts(places: Places): void {
  refreshLastResorts(lastResortPorts(places), 'all');
}

/** After a command has changed hooks, trust or settings: what is kept for the time without a server, and the server that runs. */
export async function hooksChanged(places: Places): Promise<void> {
  try {
    keepLastResorts(places);
  } catch {
    // The change itself is made. `doctor` says that this is out of date, and a server that runs tries again.
  }
  await reload(places);
}
