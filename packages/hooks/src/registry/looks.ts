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
      try {
        const made = make();
        // What is this young may change once more without showing it.
        const settled = looks.every(({ found }) => found === undefined || isSettled(found.ctimeMs));
        const distinct = [...new Map(looks.map((look) => [look.path, look])).values()];
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
