import type { Stats } from 'node:fs';
import { isStable, type StatOf } from './watched.ts';

/** Records each stat that is taken while a value is made: the value holds for as long as every stat stays the same. */
export interface StatRecord {
  readonly stat: StatOf;
  during<T>(make: () => T): { readonly made: T; readonly holds: () => boolean };
}

interface Taken {
  readonly path: string;
  readonly found: Stats | undefined;
}

export function createStatRecord(stat: StatOf): StatRecord {
  let record: Taken[] | undefined;
  return {
    stat(path) {
      const found = stat(path);
      record?.push({ path, found });
      return found;
    },
    during(make) {
      const taken: Taken[] = [];
      record = taken;
      const began = Date.now();
      try {
        const made = make();
        // What was this young when it was stated may have changed once more without showing it, however long the making took.
        const stable = taken.every(({ found }) => found === undefined || isStable(found.ctimeMs, began));
        // Of each path the first stat: what changed between two of them must not hold.
        const distinct = [...new Map(taken.reverse().map((one) => [one.path, one])).values()];
        return { made, holds: () => stable && distinct.every(({ path, found }) => isSame(found, stat(path))) };
      } finally {
        record = undefined;
      }
    },
  };
}

function isSame(before: Stats | undefined, now: Stats | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return before.ctimeMs === now.ctimeMs && before.size === now.size && before.ino === now.ino && before.mode === now.mode;
}
