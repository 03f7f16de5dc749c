import type { EventHeader, EventQuery, Store } from '@piton/store';

const PAGE = 500;
/** Of so many events it is known which were told. Older ones change by age or new rules for secrets, and are no news. */
const REMEMBERED = 50_000;

/**
 * Each event that matches, once, from now on, or from `query.since` on. It follows the changes of the store: an event that comes
 * late is not missed, and one that is answered later, or gets the runs of more hooks, is not told again.
 */
export async function* newEvents(store: Store, query: EventQuery, signal: AbortSignal): AsyncGenerator<EventHeader> {
  let { seq } = await store.lastChange();
  const seen = new Set<number>();
  let known = query.since === undefined ? ((await store.events({ limit: 1 }))[0]?.seq ?? 0) : 0;
  const isNew = ({ seq: number }: EventHeader): boolean => {
    if (number <= known || seen.has(number)) return false;
    seen.add(number);
    if (seen.size > REMEMBERED) {
      const [oldest] = seen;
      seen.delete(oldest as number);
      known = Math.max(known, oldest as number);
    }
    return true;
  };
  // What is there is listed by time; what comes meanwhile has a greater number, and is met below.
  if (query.since !== undefined) {
    for (let page: readonly EventHeader[] = []; ; ) {
      page = await store.events({ ...query, afterSeq: page.at(-1)?.seq ?? 0, limit: PAGE });
      yield* page.filter(isNew);
      if (page.length < PAGE) break;
    }
  }
  while (!signal.aborted) {
    const changes = await store.changesSince(seq, PAGE);
    seq = changes.at(-1)?.seq ?? seq;
    const ids = changes.flatMap(({ kind, id }) => (kind === 'event' ? [id] : []));
    if (ids.length > 0) yield* (await store.events({ ...query, ids, limit: ids.length })).filter(isNew);
    if (changes.length < PAGE) await store.waitForChange(seq, signal);
  }
}
