import { createHash } from 'node:crypto';
import { type ActiveDecision, type CanonicalEvent, decisionNameOf, decisionsIn, type Reduced, ruleOf } from '@piton/contracts';

/** Without a tool-call id, two registrations that say the same within this time mean one event. */
const WINDOW_MS = 2000;
const KEPT_MS = 10_000;
/** What is longer stands for itself by a hash: it would be held for as long. */
const LONGEST_KEY = 1024;

interface First {
  readonly stamp: string;
  readonly via: string;
  readonly at: number;
  /** Undefined when it was lost: then nobody has decided. */
  readonly reduced: Promise<Reduced | undefined>;
}

/**
 * Some agents run each other's configuration, run both levels of their own, or tell one call under two names, so that one
 * event comes through two registrations. It is one event: the second waits for the first, is given its verdict and input,
 * and is not recorded again. From the same registration two events are always two.
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
    this.#firsts.delete(key); // the latest stands last
    this.#firsts.set(key, { stamp, via, at: now, reduced });
    return undefined;
  }

  /** Also when nothing comes: after a burst of thousands it would all be kept until the next event. */
  sweep(now: number): void {
    for (const [key, first] of this.#firsts) {
      if (now - first.at <= KEPT_MS) return; // in order of time
      this.#firsts.delete(key);
    }
  }
}

/** Whether both answers to one event carry a kind of decision, or the first alone: said twice, these would count twice. */
const CARRIED_BY: Readonly<Record<ActiveDecision, 'both' | 'first'>> = {
  ...{ deny: 'both', ask: 'both', allow: 'both', modify: 'both' },
  ...{ replace: 'first', rewrite: 'first', continue: 'first' },
};

/** What the second registration of the same event is answered. */
export function sharedDecision(reduced: Reduced): Reduced {
  const { verdict, reason } = reduced;
  const shared = { verdict, ...(reason !== undefined && { reason }) };
  for (const kind of decisionsIn(reduced)) {
    const { part } = ruleOf(kind);
    if (CARRIED_BY[kind] === 'both' && part !== 'verdict') Object.assign(shared, { [part]: reduced[part] });
  }
  return { ...shared, decision: decisionNameOf(shared) };
}

/** By its id, which is as short as its input may be long; without one by its content. */
function keyOf(event: CanonicalEvent): string {
  const { useId } = event.tool ?? {};
  const what = useId === undefined ? `said:${contentOf(event)}` : `id:${useId}`;
  return [event.sessionId, event.event, event.agentId ?? '', what].join('\0');
}

function contentOf({ event, nativeEvent, raw, tool, prompt, source, text }: CanonicalEvent): string {
  const called = tool === undefined ? '' : JSON.stringify([tool.name, tool.input], inOrder);
  // What has no canonical form is told apart by all that was said.
  const rest = event === 'other' ? JSON.stringify([nativeEvent, raw], inOrder) : '';
  const said = JSON.stringify([prompt, source, text, called, rest]);
  return said.length <= LONGEST_KEY ? said : createHash('sha1').update(said).digest('base64');
}

/** Two dialects may name the same fields in another order. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
