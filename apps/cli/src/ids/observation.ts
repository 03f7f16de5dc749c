import type { ObservedHere, Store } from '@piton/store';
import { Failure } from '../failure.ts';
import { summaryOf } from '../observations/observation-text.ts';
import { ambiguous } from './ambiguous.ts';
import { stepsBack } from './latest.ts';

/** By its ID, a prefix that only one has, or `@`: the latest. */
export async function requireObservation(store: Store, ref: string): Promise<ObservedHere> {
  const back = stepsBack(ref);
  if (back !== undefined) {
    const found = (await store.observations({ kinds: LISTED, limit: back + 1 }))[back];
    if (found) return found;
    throw new Failure(`${ref} is before the first observation`, LIST);
  }
  const found = await store.observation(ref.toUpperCase());
  if (found.found === 'one') return found.value;
  if (found.found === 'none') throw new Failure(`no observation starts with ${JSON.stringify(ref)}`, LIST);
  const candidates = await Promise.all(
    found.ids.map(async (id) => {
      const one = await store.observation(id);
      return { id, about: one.found === 'one' ? `${one.value.kind} ${summaryOf(one.value)}` : '' };
    }),
  );
  throw ambiguous(ref, 'observation', candidates);
}

/** What is listed if no kind is named. */
export const LISTED = ['works', 'fix', 'note', 'crash', 'commit'] as const satisfies readonly ObservedHere['kind'][];

const LIST = { remedy: 'list them: piton observations' };
