/** Shorter than any process takes to start: what an agent or a person changed before firing an event is always seen. */
const BURST_MS = 2;
/** More than an event asks about; a server with very many places looks for itself. */
const MOST_PREFETCHED = 64;

export interface BurstCache {
  /** One lookup for the same question within a burst. */
  cached<Answer>(look: (about: string) => Answer): (about: string) => Answer;
  /** Likewise; and what was asked in the last burst is looked up before it is asked again. */
  prefetched<Answer>(look: (about: string) => Answer): (about: string) => Answer;
  /** Begins a new burst, unless the present one has only begun. */
  prefetch(): void;
  /** Something has changed. */
  clear(): void;
}

/**
 * Lookups in the file system that every event needs. For two milliseconds a result is used again: a burst asks
 * thousands of times a second. Otherwise every event looks for itself, so that a hook dropped in counts from the next
 * event on. A forwarder connects before it has read its payload: that is the time to prefetch.
 */
export function createBurstCache(now: () => number = () => performance.now()): BurstCache {
  const lookups: Lookup[] = [];
  let began = Number.NEGATIVE_INFINITY;
  let looking = false;
  const begin = (): void => {
    // Taken before anybody looks: what changes meanwhile belongs to the next burst.
    began = now();
    for (const { asked, prepared } of lookups) {
      asked.clear();
      prepared.clear();
    }
  };
  /** Several lookups in one go get answers of one burst, however long a busy machine takes over them. */
  const advance = (): void => {
    if (looking) return;
    if (now() - began >= BURST_MS) begin();
    looking = true;
    queueMicrotask(() => {
      looking = false;
    });
  };
  const remember = <Answer>(look: (about: string) => Answer, isPrefetched: boolean): ((about: string) => Answer) => {
    const asked = new Map<string, { readonly answer: Answer }>();
    const prepared: typeof asked = new Map();
    lookups.push({ asked, prepared, look, isPrefetched });
    return (about) => {
      advance();
      const known = asked.get(about);
      if (known !== undefined) return known.answer;
      const found = prepared.get(about) ?? { answer: look(about) };
      asked.set(about, found);
      return found.answer;
    };
  };
  return {
    cached: (look) => remember(look, false),
    prefetched: (look) => remember(look, true),
    clear: begin,
    prefetch() {
      if (now() - began < BURST_MS / 2) return;
      const likely = lookups.map(({ asked, isPrefetched }) => (isPrefetched && asked.size <= MOST_PREFETCHED ? [...asked.keys()] : []));
      begin();
      for (const [at, { prepared, look }] of lookups.entries())
        for (const about of likely[at] ?? []) prepared.set(about, { answer: look(about) });
    },
  };
}

interface Lookup {
  readonly asked: Map<string, { readonly answer: unknown }>;
  /** Prefetched, and not asked yet. */
  readonly prepared: Map<string, { readonly answer: unknown }>;
  readonly look: (about: string) => unknown;
  readonly isPrefetched: boolean;
}
