import type { EventHeader, EventQuery, Store } from '@piton/store';

const PAGE = 500;
/** How many printed events are remembered. Older ones change only by expiry or new redaction rules, which is no news. */
const REMEMBERED = 50_000;

/**
 * Yields each matching event once, from now on or from `query.since` on. It follows the store's change sequence, so that late
 * events are not missed, and an event that changes later (an answer, more hook runs) is not repeated.
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
  // Existing events are listed by time. Those that arrive meanwhile have a higher number and are read below.
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
