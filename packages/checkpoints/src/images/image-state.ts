import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '../authors/owners.ts';
import type { RawPath } from '../raw-path.ts';
import { revivedState, stateText, type WorkingState, writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';

/** The working tree as the last look before a call found it. */
export interface LastImage extends WorkingState {
  readonly tree: string;
  /** A tree of the files that `tree` does not have byte for byte. */
  readonly verbatim: string | null;
  /** The last checkpoint then: a later one knows better. */
  readonly after: string | null;
  /** Whose each change since that checkpoint is. */
  readonly owners: ReadonlyMap<RawPath, Owner>;
}

/** What the one ref of a working tree holds. */
export interface Holder {
  readonly tree: string;
  /** Turn and name of each image in it, the oldest first. */
  readonly images: readonly (readonly [turn: string, name: string])[];
}

const read = <T>(file: string): T | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
};

export const imageFile = ({ state }: Pick<Worktree, 'state'>) => join(state, 'image.json');
const holderFile = ({ state }: Pick<Worktree, 'state'>) => join(state, 'images.json');

export function readImage(worktree: Pick<Worktree, 'state'>): LastImage | null {
  try {
    const found = revivedState<Omit<LastImage, 'owners'> & { owners?: [RawPath, Owner][] }>(readFileSync(imageFile(worktree), 'utf8'));
    // Older versions did not write owners.
    return { ...found, owners: new Map(found.owners ?? []) };
  } catch {
    return null;
  }
}

export const writeImage = (worktree: Pick<Worktree, 'state'>, image: LastImage): Promise<void> =>
  writeWhole(imageFile(worktree), stateText({ ...image, owners: [...image.owners] }));

export const readHolder = (worktree: Pick<Worktree, 'state'>): Holder | null => read<Holder>(holderFile(worktree));

export const writeHolder = (worktree: Pick<Worktree, 'state'>, holder: Holder): Promise<void> =>
  writeWhole(holderFile(worktree), JSON.stringify(holder));
