import type { Places } from '@piton/contracts/places';
import { ensureServer, stopServer } from './life.ts';

export type Renewed = 'none' | 'replaced' | 'finishing';

/** After a change of the runtime: a server that still runs the older one makes way. */
export async function renewServer(places: Places): Promise<Renewed> {
  switch (await stopServer(places)) {
    case 'none':
      return 'none';
    case 'busy':
      return 'finishing'; // it holds the lock until then; the next event after that starts the new one
    case 'stopped':
      await ensureServer(places);
      return 'replaced';
  }
}
