import type { Places } from '@piton/contracts/places';
import { describeTarget, localStore, type OpenOptions, openStore, type Store, type StoreFailure, type StoreProblem } from '@piton/store';
import { Failure } from './failure.ts';
import { flush } from './server/client.ts';

const REMEDIES: Readonly<Partial<Record<StoreProblem, string>>> = {
  newer: 'upgrade Piton: a newer version wrote it. Nothing was changed',
  older: 'move your agents to this Piton, whose server upgrades it: piton init',
  network: 'set PITON_HOME to a local directory',
  foreign: 'it belongs to another user. Set PITON_HOME to a directory of yours',
  busy: 'try again in a moment',
  full: 'free space on the disk',
  corrupt: 'start the server, which keeps it and creates a new one: piton server start',
};

export const storeRemedy = (failure: StoreFailure): string => REMEDIES[failure.problem] ?? 'run `piton doctor`';

/** The store of this home. Undefined if nothing was ever recorded. `verb` is for the error message. */
export async function openExisting(
  places: Places,
  verb: 'read' | 'open' = 'read',
  options: OpenOptions = { readonly: true },
): Promise<Store | undefined> {
  const target = localStore(places);
  const opened = await openStore(target, { ...options, existing: true });
  if (opened.ok) return opened.store;
  if (opened.problem === 'missing') return undefined;
  throw new Failure(`cannot ${verb} the store: ${opened.error}`, { where: describeTarget(target), remedy: storeRemedy(opened) });
}

/** Reads from the store and closes it. `none` is the result if nothing was ever recorded. */
export async function readStore<T>(places: Places, read: (store: Store) => Promise<T>, none: T): Promise<T> {
  // Include what has just happened. Without a server there is nothing to wait for.
  await flush(places, 3000);
  const store = await openExisting(places);
  if (store === undefined) return none;
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
