import { createHash } from 'node:crypto';
import { type ActiveDecision, type CanonicalEvent, decisionNameOf, decisionsIn, type Reduced, ruleOf } from '@piton/contracts';

/** Without a tool-call id, the same content from two registrations within this time is one event. */
const WINDOW_MS = 2000;
const KEPT_MS = 10_000;
/** Longer content is hashed, because keys are kept in memory. */
const LONGEST_KEY = 1024;

interface First {
  readonly stamp: string;
  readonly via: string;
  readonly at: number;
  /** Undefined if the link was lost: then there is no decision. */
  readonly reduced: Promise<Reduced | undefined>;
}

/**
 * Some agents run each other's configuration, run both levels of their own, or report one call under two names. Then one
 * event comes through two registrations. The second waits for the first, gets its verdict and input, and is not recorded
 * again. Two events from the same registration are always two.
 */
export class Duplicates {
  readonly #firsts = new Map<string, First>();

  /** The earlier duplicate of this event, or undefined: then this one is the first, and `reduced` is what it will decide. */
  firstOf(event: CanonicalEvent, via: string, stamp: string, now: number, reduced: First['reduced']): First | undefined {
    this.sweep(now);
    if (event.sessionId === '') return undefined;
    const key = keyOf(event);
    const first = this.#firsts.get(key);
    const same = first !== undefined && first.via !== via && (event.tool?.useId !== undefined || now - first.at <= WINDOW_MS);
    if (same) return first;
    this.#firsts.delete(key); // most recent last
    this.#firsts.set(key, { stamp, via, at: now, reduced });
    return undefined;
  }

  /** Also call by a timer: after a burst of thousands, everything would be kept until the next event. */
  sweep(now: number): void {
    for (const [key, first] of this.#firsts) {
      if (now - first.at <= KEPT_MS) return; // in order of time
      this.#firsts.delete(key);
    }
  }
}

/** Which kinds of decision both answers carry. The others are only in the first: given twice they would count twice. */
const CARRIED_BY: Readonly<Record<ActiveDecision, 'both' | 'first'>> = {
  ...{ deny: 'both', ask: 'both', allow: 'both', modify: 'both' },
  ...{ replace: 'first', rewrite: 'first', continue: 'first' },
};

/** The decision for the second registration of the same event. */
export function sharedDecision(reduced: Reduced): Reduced {
  const { verdict, reason } = reduced;
  const shared = { verdict, ...(reason !== undefined && { reason }) };
  for (const kind of decisionsIn(reduced)) {
    const { part } = ruleOf(kind);
    if (CARRIED_BY[kind] === 'both' && part !== 'verdict') Object.assign(shared, { [part]: reduced[part] });
  }
  return { ...shared, decision: decisionNameOf(shared) };
}

/** By its tool-call id if it has one, otherwise by its content. */
function keyOf(event: CanonicalEvent): string {
  const { useId } = event.tool ?? {};
  const what = useId === undefined ? `content:${contentOf(event)}` : `id:${useId}`;
  return [event.sessionId, event.event, event.agentId ?? '', what].join('\0');
}

function contentOf({ event, nativeEvent, raw, tool, prompt, source, text }: CanonicalEvent): string {
  const call = tool === undefined ? '' : JSON.stringify([tool.name, tool.input], inOrder);
  // An `other` event has no canonical fields, so its whole payload counts.
  const rest = event === 'other' ? JSON.stringify([nativeEvent, raw], inOrder) : '';
  const content = JSON.stringify([prompt, source, text, call, rest]);
  return content.length <= LONGEST_KEY ? content : createHash('sha1').update(content).digest('base64');
}

/** Two agents may send the same fields in a different order. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
