import type { Stats } from 'node:fs';
import { isSettled, type StatOf } from './watched.ts';

/** Remembers what was looked at while something was made: what was made holds for as long as all of it looks the same. */
export interface Looks {
  readonly stat: StatOf;
  during<T>(make: () => T): { readonly made: T; readonly holds: () => boolean };
}

interface Look {
  readonly path: string;
  readonly found: Stats | undefined;
}

export function createLooks(stat: StatOf): Looks {
  let seen: Look[] | undefined;
  return {
    stat(path) {
      const found = stat(path);
      seen?.push({ path, found });
      return found;
    },
    during(make) {
      const looks: Look[] = [];
      seen = looks;
      const began = Date.now();
      try {
        const made = make();
        // What was this young at the look may have changed once more without showing it, however long the making took.
        const settled = looks.every(({ found }) => found === undefined || isSettled(found.ctimeMs, began));
        // Of each the first look: what changed between two of them must not hold.
        const distinct = [...new Map(looks.reverse().map((look) => [look.path, look])).values()];
        return { made, holds: () => settled && distinct.every(({ path, found }) => looksLike(found, stat(path))) };
      } finally {
        seen = undefined;
      }
    },
  };
}

function looksLike(before: Stats | undefined, now: Stats | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return before.ctimeMs === now.ctimeMs && before.size === now.size && before.ino === now.ino && before.mode === now.mode;
}
