/** Shorter than any process takes to start: a change made before an event is always seen. */
const BURST_MS = 2;
/** More than an event needs. With more keys than this, nothing is prefetched. */
const MOST_PREFETCHED = 64;

export interface BurstCache {
  /** One lookup per key and burst. */
  cached<Answer>(lookUp: (key: string) => Answer): (key: string) => Answer;
  /** The same, and keys of the last burst are looked up ahead. */
  prefetched<Answer>(lookUp: (key: string) => Answer): (key: string) => Answer;
  /** Starts a new burst, unless the current one has just begun. */
  prefetch(): void;
  /** Something has changed. */
  clear(): void;
}

/**
 * File system lookups that every event needs. A result is reused for two milliseconds, because a burst needs thousands
 * a second. After that it is looked up again, so a new hook counts from the next event on. A forwarder connects before it
 * has read its payload: that is the time to prefetch.
 */
export function createBurstCache(now: () => number = () => performance.now()): BurstCache {
  const lookups: Lookup[] = [];
  let began = Number.NEGATIVE_INFINITY;
  let running = false;
  const begin = (): void => {
    // Read the clock before the lookups: a change during them belongs to the next burst.
    began = now();
    for (const { results, prefetchedResults } of lookups) {
      results.clear();
      prefetchedResults.clear();
    }
  };
  /** Lookups of one synchronous run belong to one burst, however slow the machine is. */
  const advance = (): void => {
    if (running) return;
    if (now() - began >= BURST_MS) begin();
    running = true;
    queueMicrotask(() => {
      running = false;
    });
  };
  const memoize = <Answer>(lookUp: (key: string) => Answer, isPrefetched: boolean): ((key: string) => Answer) => {
    const results = new Map<string, { readonly answer: Answer }>();
    const prefetchedResults: typeof results = new Map();
    lookups.push({ results, prefetchedResults, lookUp, isPrefetched });
    return (key) => {
      advance();
      const known = results.get(key);
      if (known !== undefined) return known.answer;
      const found = prefetchedResults.get(key) ?? { answer: lookUp(key) };
      results.set(key, found);
      return found.answer;
    };
  };
  return {
    cached: (lookUp) => memoize(lookUp, false),
    prefetched: (lookUp) => memoize(lookUp, true),
    clear: begin,
    prefetch() {
      if (now() - began < BURST_MS / 2) return;
      const keys = lookups.map(({ results, isPrefetched }) => (isPrefetched && results.size <= MOST_PREFETCHED ? [...results.keys()] : []));
      begin();
      for (const [at, { prefetchedResults, lookUp }] of lookups.entries())
        for (const key of keys[at] ?? []) prefetchedResults.set(key, { answer: lookUp(key) });
    },
  };
}

interface Lookup {
  readonly results: Map<string, { readonly answer: unknown }>;
  /** Prefetched, and not used yet. */
  readonly prefetchedResults: Map<string, { readonly answer: unknown }>;
  readonly lookUp: (key: string) => unknown;
  readonly isPrefetched: boolean;
}
