import {
  type Agent,
  type CanonicalEvent,
  contextLimitOf,
  type Delivery,
  type Encoded,
  isOverLimit,
  limitNote,
  type Reduced,
  startOf,
} from '@piton/contracts';
import { joinTexts } from './session/effects.ts';

/** A decision whose context is longer than the agent takes at this event. */
export interface OverLimit {
  /** What the person and the trace are told. */
  readonly note: string;
  /** With as much of the context as arrives, and a word to the model and the person about the rest. */
  readonly reduced: Reduced;
}

/** Undefined where all of it arrives. */
export function overLimit(agent: Agent, event: CanonicalEvent, reduced: Reduced): OverLimit | undefined {
  const { content } = reduced;
  const limit = contextLimitOf(agent.contextLimits, event.event);
  if (content === undefined || limit === undefined || !isOverLimit(content, limit)) return undefined;
  const note = limitNote(agent.title, event.event, content.length, limit);
  const userMessage = joinTexts(reduced.userMessage, `Piton: ${note}`);
  if (limit.longer !== 'cut') return { note, reduced: { ...reduced, userMessage } };
  const last = `\n[Piton: ${note}]`;
  const kept = startOf(content, { ...limit, size: Math.max(0, limit.size - Buffer.byteLength(last)) });
  return { note, reduced: { ...reduced, content: kept + last, userMessage } };
}

/** Where the context arrives at once it is not whole; where it is deferred, or has no place, nothing was cut. */
export function withLimit(encode: (reduced: Reduced) => Encoded, reduced: Reduced, over: OverLimit | undefined): Encoded {
  if (over === undefined) return encode(reduced);
  const encoded = encode(over.reduced);
  if (!encoded.delivered.some(arrives)) return encode(reduced);
  return { ...encoded, delivered: encoded.delivered.map((one) => (arrives(one) ? { ...one, how: 'degraded', note: over.note } : one)) };
}

export const arrives = ({ decision, how }: Delivery): boolean => decision === 'replace' && (how === 'now' || how === 'degraded');
