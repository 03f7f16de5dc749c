import { isStable } from '../registry/watched.ts';
import { objectPath } from './objects.ts';
import { readTree, treeStamp } from './tree.ts';

export interface Copies {
  /** Where a trusted copy lies, if it is there and nobody touched it. */
  at(hash: string): { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string };
  /** The hash of a folder as it is now, or null if it cannot be read whole. */
  hashOf(directory: string): string | null;
  forget(): void;
}

/** Hashes folders, and again only when a stat of one of their files has changed. */
export function createCopies(trustDir: string, onSlow = (): void => {}): Copies {
  const held = new Map<string, { stamp: string; hash: string | null }>();
  const hashOf = (directory: string): string | null => {
    const stamp = treeStamp(directory);
    if (stamp === null) return null;
    const known = held.get(directory);
    if (known?.stamp === stamp.text) return known.hash;
    onSlow();
    const read = readTree(directory);
    const hash = read.ok ? read.tree.hash : null;
    if (isStable(stamp.newestMs)) held.set(directory, { stamp: stamp.text, hash });
    return hash;
  };
  return {
    at(hash) {
      const path = objectPath(trustDir, hash);
      const found = hashOf(path);
      if (found === hash) return { ok: true, path };
      return { ok: false, why: found === null ? 'its trusted copy is missing' : 'its trusted copy was changed' };
    },
    hashOf,
    forget: () => held.clear(),
  };
}
