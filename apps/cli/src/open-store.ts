import { existsSync } from 'node:fs';
import type { Places } from '@piton/contracts/places';
import { openStore, type Store, type StoreFailure, type StoreProblem } from '@piton/store';
import { Failure } from './failure.ts';
import { flush } from './server/client.ts';

const REMEDIES: Readonly<Partial<Record<StoreProblem, string>>> = {
  newer: 'upgrade Piton: a newer version wrote it; nothing in it was touched',
  older: 'start the server, which brings it up to date: piton server start',
  network: 'set PITON_HOME to a local directory',
  foreign: 'it belongs to another user; set PITON_HOME to a directory of your own',
  busy: 'try again in a moment',
  full: 'free space on the disk',
  corrupt: 'the server sets it aside at its next start and begins a new one: piton server start',
};

export const storeRemedy = (failure: StoreFailure): string => REMEDIES[failure.problem] ?? 'run `piton doctor`';

/** Reads what is stored, and closes it again. `none` is for a home where nothing was ever recorded. */
export async function readStore<T>(places: Places, read: (store: Store) => Promise<T>, none: T): Promise<T> {
  // Whoever looks wants to see what just happened. Without a server there is nothing to wait for.
  await flush(places, 3000);
  if (!existsSync(places.store)) return none;
  const opened = await openStore(places.store, { readonly: true });
  if (!opened.ok) throw new Failure(`the store cannot be read: ${opened.error}`, { where: places.store, remedy: storeRemedy(opened) });
  try {
    return await read(opened.store);
  } finally {
    await opened.store.close();
  }
}
