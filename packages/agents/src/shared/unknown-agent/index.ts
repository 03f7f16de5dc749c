import { type Agent, type CapabilityTable, type Delivery, familyOf, type Reduced, UNKNOWN_AGENT } from '@piton/contracts';
import { decodeThrough } from './decode.ts';
import type { KnownWords } from './known-words.ts';

/** Decisions that change what runs, or wave it through: nobody can tell what an agent makes of them that read the call its own way. */
const NOT_TAKEN = ['allow', 'modify', 'rewrite'] as const;

/**
 * Whoever runs the configuration of an agent without being it, or anybody who is known to: what it sends is read by any name that the
 * fields may have, and it is answered as that agent would be.
 */
export function unknownThrough(registered: Agent, words: KnownWords): Agent {
  const { aliases: _, alsoRuns: __, claims: ___, ...rest } = registered;
  return {
    ...rest,
    id: UNKNOWN_AGENT,
    title: `an unknown agent that runs the hooks of ${registered.title}`,
    aliases: [],
    capabilities: capabilitiesOf(registered.capabilities),
    transcript: null,
    decode: decodeThrough(registered, words),
    encode: encodeThrough(registered),
    // A person may be there, but nobody knows whether it would ask.
    attended: () => false,
    resume: () => [],
  };
}

const capabilitiesOf = (table: CapabilityTable): CapabilityTable =>
  Object.fromEntries(
    Object.entries(table).map(([event, taken]) => [
      event,
      Object.fromEntries(Object.entries(taken).filter(([decision]) => !(NOT_TAKEN as readonly string[]).includes(decision))),
    ]),
  );

const encodeThrough =
  (registered: Agent): Agent['encode'] =>
  (event, decision, context) => {
    const { input: _, output: __, ...kept } = decision;
    const verdict = decision.verdict === 'allow' ? 'observe' : decision.verdict;
    const encoded = registered.encode(event, { ...kept, verdict }, context);
    const delivered = [...encoded.delivered, ...dropped(decision)];
    const isRefused =
      registered.shape.refusesByCode && (verdict === 'deny' || verdict === 'ask') && REFUSED_BY_CODE.has(familyOf(event.event));
    if (!isRefused) return { ...encoded, delivered };
    // Of those that take over hooks of others some read only the exit code.
    return { ...encoded, delivered, answer: { ...encoded.answer, stderr: decision.reason ?? '', exitCode: 2 } };
  };

/** Where exit code 2 refuses what is about to happen. */
const REFUSED_BY_CODE: ReadonlySet<string> = new Set(['before-tool', 'prompt']);

const dropped = ({ verdict, input, output }: Reduced): Delivery[] =>
  NOT_TAKEN.filter(
    (decision) => ({ allow: verdict === 'allow', modify: input !== undefined, rewrite: output !== undefined })[decision],
  ).map((decision) => ({ decision, how: 'none', note: 'nobody knows who called, and so what it would do with this' }));
