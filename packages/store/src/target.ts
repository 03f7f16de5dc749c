import { dirname, join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { damagedFiles } from './sqlite/store-file.ts';

/** Where a store is. What lies behind it, and whether it is there yet, only this package knows. */
export interface StoreTarget {
  readonly kind: 'sqlite';
  readonly file: string;
}

/** The store of a home on this machine. */
export const localStore = ({ store }: Pick<Places, 'store'>): StoreTarget => ({ kind: 'sqlite', file: store });

/** For people: the place that a message names. */
export const describeTarget = ({ file }: StoreTarget): string => file;

/** Files of stores that were damaged and moved away from here: the only copies of what is in them. */
export const damagedStores = ({ file }: StoreTarget): string[] => damagedFiles(file).map((name) => join(dirname(file), name));
