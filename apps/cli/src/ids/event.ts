import type { EventDetail, Lookup, PitonEventDetail, Store } from '@piton/store';
import { latestHappenings } from '../events/happening.ts';
import { idOf } from '../events/happening-table.ts';
import { subjectOf } from '../events/row.ts';
import { Failure } from '../failure.ts';
import { formatTime } from '../output/time.ts';
import { ambiguous } from './ambiguous.ts';
import { stepsBack } from './latest.ts';

/** An event of an agent, or one that Piton emitted. */
export type FoundEvent = { readonly of: 'agent'; readonly event: EventDetail } | { readonly of: 'piton'; readonly event: PitonEventDetail };

/** By its ID, a prefix that only one has, or `@`: the last row of `piton events`. */
export async function requireEvent(store: Store, ref: string): Promise<FoundEvent> {
  const back = stepsBack(ref);
  const id = back === undefined ? ref : await latestEventId(store, ref, back);
  const [agents, pitons] = [await store.event(id), await store.pitonEvent(id)];
  const ids = [...idsIn(agents, ({ eventId }) => eventId), ...idsIn(pitons, ({ event }) => event.id)];
  if (ids.length === 0) throw new Failure(`no event starts with ${JSON.stringify(ref)}`, { remedy: 'list them: piton events' });
  if (ids.length > 1) throw await ambiguousEvent(store, ref, ids);
  if (agents.found === 'one') return { of: 'agent', event: agents.value };
  return { of: 'piton', event: (pitons as Extract<typeof pitons, { found: 'one' }>).value };
}

const idsIn = <T>(found: Lookup<T>, idIn: (value: T) => string): readonly string[] =>
  found.found === 'one' ? [idIn(found.value)] : found.found === 'many' ? found.ids : [];

async function latestEventId(store: Store, ref: string, back: number): Promise<string> {
  const { happenings } = await latestHappenings(store, {}, back + 1);
  const found = happenings[back];
  if (found) return idOf(found);
  throw new Failure(`${ref} is before the first event`, { remedy: 'list them: piton events' });
}

async function ambiguousEvent(store: Store, ref: string, ids: readonly string[]): Promise<Failure> {
  const known = new Map((await store.events({ ids, limit: ids.length })).map((event) => [event.eventId, event]));
  return ambiguous(
    ref,
    'event',
    ids.map((id) => {
      const event = known.get(id);
      return { id, about: event ? `${formatTime(event.wallUs / 1000)} ${subjectOf(event) || event.event}` : 'emitted by Piton' };
    }),
  );
}
