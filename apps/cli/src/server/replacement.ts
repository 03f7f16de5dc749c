import type { Places } from '@piton/contracts/places';
import { ensureServer, stopServer } from './server-process.ts';

export type Replacement = 'none' | 'replaced' | 'finishing';

/** After a change of the runtime, replaces a server that still runs the older one. */
export async function replaceServer(places: Places): Promise<Replacement> {
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
