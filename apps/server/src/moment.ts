/** Shorter than any process takes to start: what an agent or a person changed before firing an event is always seen. */
const MOMENT_MS = 2;
const KEPT = 64;
/** An agent asks about the same few places again and again. */
const LOOKED_AHEAD = 2;

export interface Momentary<Asked extends readonly unknown[], Answer> {
  (...asked: Asked): Answer;
  /** Asks the latest questions anew, so that the next event finds them answered. */
  lookAhead(): void;
}

/**
 * Questions about the file system that every event asks. Within a moment an answer is taken again: a burst asks
 * thousands of times a second. Otherwise every event looks for itself, so that a hook dropped in counts from the next
 * event on. A forwarder connects before it has read its payload: that is the time to look ahead.
 */
export function withinMoment<Asked extends readonly unknown[], Answer>(
  keyOf: (...asked: Asked) => string,
  look: (...asked: Asked) => Answer,
  now: () => number = () => performance.now(),
): Momentary<Asked, Answer> {
  const held = new Map<string, { readonly asked: Asked; readonly at: number; readonly answer: Answer }>();
  const ask = (...asked: Asked): Answer => {
    const key = keyOf(...asked);
    const known = held.get(key);
    if (known !== undefined && now() - known.at < MOMENT_MS) return known.answer;
    return lookNow(key, asked);
  };
  const lookNow = (key: string, asked: Asked): Answer => {
    // Taken before looking: what changes meanwhile belongs to the next moment.
    const at = now();
    const answer = look(...asked);
    held.delete(key); // the latest stands last
    if (held.size >= KEPT) held.clear();
    held.set(key, { asked, at, answer });
    return answer;
  };
  const lookAhead = (): void => {
    for (const [key, { asked, at }] of [...held].slice(-LOOKED_AHEAD)) if (now() - at >= MOMENT_MS / 2) lookNow(key, asked);
  };
  return Object.assign(ask, { lookAhead });
}
