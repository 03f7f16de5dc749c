import { createHash } from 'node:crypto';
import type { CanonicalEvent, Reduced } from '@piton/contracts';

/** Without a tool-call id, two registrations that say the same within this time mean one event. */
const WINDOW_MS = 2000;
const KEPT_MS = 10_000;

interface First {
  readonly stamp: string;
  /** Agent and scope: one configuration file. */
  readonly registrant: string;
  readonly at: number;
  /** Undefined when it was lost: then nobody has decided. */
  readonly reduced: Promise<Reduced | undefined>;
}

/**
 * Some agents run each other's configuration, so that one event comes through two registrations. It is one
 * event: the second waits for the first, is given its verdict and input, and is not recorded again. From the
 * same registration two events are always two.
 */
export class Twins {
  readonly #firsts = new Map<string, First>();

  /** The earlier twin of this event, or undefined: then this one is the first, and `reduced` is what it will say. */
  meet(event: CanonicalEvent, registrant: string, stamp: string, now: number, reduced: First['reduced']): First | undefined {
    this.#sweep(now);
    if (event.sessionId === '') return undefined;
    const key = keyOf(event);
    const first = this.#firsts.get(key);
    const same = first !== undefined && first.registrant !== registrant && (event.tool?.useId !== undefined || now - first.at <= WINDOW_MS);
    if (same) return first;
    this.#firsts.delete(key); // the latest stands last
    this.#firsts.set(key, { stamp, registrant, at: now, reduced });
    return undefined;
  }

  #sweep(now: number): void {
    for (const [key, first] of this.#firsts) {
      if (now - first.at <= KEPT_MS) return; // in order of time
      this.#firsts.delete(key);
    }
  }
}

/** deny, ask, modify and allow go to both; replace, rewrite and continue to the first alone. */
export function shareOf(reduced: Reduced): Reduced {
  const { verdict, reason, input } = reduced;
  return {
    decision: verdict !== 'observe' && verdict !== 'allow' ? verdict : input ? 'modify' : verdict,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(input && { input }),
  };
}

function keyOf(event: CanonicalEvent): string {
  // What has no canonical form is told apart by all that was said.
  const rest = event.event === 'other' ? [event.nativeEvent, event.raw] : [];
  const what =
    event.tool?.useId ??
    createHash('sha1')
      .update(JSON.stringify([event.tool?.input, event.prompt, event.source, event.text, ...rest]))
      .digest('base64');
  return [event.sessionId, event.event, event.agentId ?? '', what].join('\0');
}
