import type { Lookup } from '@piton/store';
import { Failure } from './failure.ts';

/** The one thing that has this ID or prefix. */
export function requireOne<T>(found: Lookup<T>, kind: 'event' | 'session', ref: string): T {
  switch (found.found) {
    case 'one':
      return found.value;
    case 'none':
      throw new Failure(`no ${kind} starts with ${JSON.stringify(ref)}`, { remedy: `list them: piton ${kind}s` });
    case 'many':
      throw new Failure(`${JSON.stringify(ref)} matches more than one ${kind}`, {
        where: found.ids.slice(0, 5).join(', '),
        remedy: 'use more of the ID',
      });
  }
}
