/** Shorter than any process takes to start: what an agent or a person changed before firing an event is always seen. */
const MOMENT_MS = 2;
/** More than an event asks about; a server that hears of very many places looks for itself. */
const MOST_AHEAD = 64;

export interface Moments {
  /** The same answer to the same question within a moment. */
  once<Answer>(look: (about: string) => Answer): (about: string) => Answer;
  /** Likewise; and what was asked in the last moment is looked up ahead. */
  ahead<Answer>(look: (about: string) => Answer): (about: string) => Answer;
  /** Begins a new moment, unless the present one has only begun. */
  lookAhead(): void;
  /** Somebody says that something has changed. */
  forget(): void;
}

/**
 * Questions about the file system that every event asks. Within a moment an answer is taken again: a burst asks
 * thousands of times a second. Otherwise every event looks for itself, so that a hook dropped in counts from the next
 * event on. A forwarder connects before it has read its payload: that is the time to look ahead.
 */
export function moments(now: () => number = () => performance.now()): Moments {
  const questions: Question[] = [];
  let began = Number.NEGATIVE_INFINITY;
  let looking = false;
  const begin = (): void => {
    // Taken before anybody looks: what changes meanwhile belongs to the next moment.
    began = now();
    for (const { asked, prepared } of questions) {
      asked.clear();
      prepared.clear();
    }
  };
  /** Whoever asks several questions in one go gets answers of one moment, however long a busy machine takes over it. */
  const settle = (): void => {
    if (looking) return;
    if (now() - began >= MOMENT_MS) begin();
    looking = true;
    queueMicrotask(() => {
      looking = false;
    });
  };
  const keep = <Answer>(look: (about: string) => Answer, isAhead: boolean): ((about: string) => Answer) => {
    const asked = new Map<string, { readonly answer: Answer }>();
    const prepared: typeof asked = new Map();
    questions.push({ asked, prepared, look, isAhead });
    return (about) => {
      settle();
      const known = asked.get(about);
      if (known !== undefined) return known.answer;
      const found = prepared.get(about) ?? { answer: look(about) };
      asked.set(about, found);
      return found.answer;
    };
  };
  return {
    once: (look) => keep(look, false),
    ahead: (look) => keep(look, true),
    forget: begin,
    lookAhead() {
      if (now() - began < MOMENT_MS / 2) return;
      const likely = questions.map(({ asked, isAhead }) => (isAhead && asked.size <= MOST_AHEAD ? [...asked.keys()] : []));
      begin();
      for (const [at, { prepared, look }] of questions.entries())
        for (const about of likely[at] ?? []) prepared.set(about, { answer: look(about) });
    },
  };
}

interface Question {
  readonly asked: Map<string, { readonly answer: unknown }>;
  /** Looked up ahead, and not asked yet. */
  readonly prepared: Map<string, { readonly answer: unknown }>;
  readonly look: (about: string) => unknown;
  readonly isAhead: boolean;
}
