import { dirname } from 'node:path';
import { makePrivate } from '@piton/contracts/places';
import { compose, type ServerOptions } from './compose.ts';
import { beginStart } from './process/backoff.ts';
import { createRetirement } from './retire.ts';
import { serve } from './serve.ts';

export type Started = { readonly ok: true; readonly retire: () => void } | { readonly ok: false; readonly error: string };

/** Starts the resident process: compose, serve, retire. The caller already holds the lock of this environment. */
export async function startServer(options: ServerOptions): Promise<Started> {
  const { places } = options;
  for (const directory of [places.environment, places.journal, places.logs, dirname(places.sockets), places.sockets]) {
    const problem = makePrivate(directory);
    if (problem !== undefined) return { ok: false, error: problem };
  }
  const start = beginStart(places.environment);
  const retirement = createRetirement(options.ended);
  const server = compose(options, retirement.begin);
  const serving = await serve(server, start, retirement);
  return serving === undefined ? { ok: true, retire: retirement.begin } : { ok: false, error: serving };
}
