import { dirname, join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { damagedFiles } from './sqlite/database/store-file.ts';

/** Where a store is. Only this package knows its format, and whether it exists. */
export interface StoreTarget {
  readonly kind: 'sqlite';
  readonly file: string;
}

/** The store of a home on this machine. */
export const localStore = ({ store }: Pick<Places, 'store'>): StoreTarget => ({ kind: 'sqlite', file: store });

/** The location, for messages. */
export const describeTarget = ({ file }: StoreTarget): string => file;

/** Damaged stores that were moved away: the only copies of their contents. */
export const damagedStores = ({ file }: StoreTarget): string[] => damagedFiles(file).map((name) => join(dirname(file), name));
