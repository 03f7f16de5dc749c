import {
  type CanonicalEvent,
  type Capability,
  type CapabilityTable,
  capabilityOf,
  type Delivery,
  decisionsIn,
  type Encoded,
  type EventName,
  type JsonObject,
  type Reduced,
  ruleOf,
  SILENCE,
} from '@piton/contracts';
import { noPlaceFor, withoutEnd } from './delivery-notes.ts';
import type { PluginAnswer } from './plugin-port.ts';

type Part = Delivery['decision'];
type Draft = { -readonly [Field in keyof PluginAnswer]: PluginAnswer[Field] };

export interface PluginEncoding {
  readonly title: string;
  readonly capabilities: CapabilityTable;
  /** Under which event a decision counts here, where the native event can do more or less than its canonical one. */
  rowOf?(event: CanonicalEvent): EventName;
  /** A portable tool input in the agent's own terms, or why there is none. */
  nativeInput(event: CanonicalEvent, input: JsonObject): JsonObject | string;
}

const NOBODY = 'nobody can be asked here, so the question became a deny';

/** For agents whose answer is JSON of our own: the capability table says what becomes of each part. */
export function pluginEncode(encoding: PluginEncoding): (event: CanonicalEvent, decision: Reduced) => Encoded {
  return (event, decision) => {
    const row = encoding.rowOf?.(event) ?? event.event;
    const draft: Draft = {};
    const delivered: Delivery[] = [];
    let deferred: string | undefined;
    for (const part of decisionsIn(decision)) {
      const text = textOf(part, decision);
      const capability = capabilityOf(encoding.capabilities, row, part);
      const obstacle = obstacleTo(part, draft) ?? (part === 'modify' ? addInput(draft, encoding, event, decision, capability) : undefined);
      if (obstacle !== undefined) {
        delivered.push({ decision: part, how: 'none', note: obstacle });
        continue;
      }
      delivered.push(deliveryOf(part, capability, encoding.title, event.nativeEvent));
      if (capability.how === 'deferred') deferred = text;
      else if (capability.how !== 'none') WRITERS[part](draft, text, capability, decision);
    }
    if (decision.userMessage !== undefined) draft.message = decision.userMessage;
    return {
      answer: Object.keys(draft).length === 0 ? SILENCE : { ...SILENCE, stdout: JSON.stringify(draft) },
      delivered: decision.endRun ? withoutEnd(delivered) : delivered,
      ...(deferred !== undefined && { deferred }),
    };
  };
}

/** What a part is in words; input and output are no text. */
function textOf(part: Part, reduced: Reduced): string {
  const { part: field } = ruleOf(part);
  if (field === 'verdict') return reduced.reason ?? '';
  return field === 'content' || field === 'continue' ? (reduced[field] ?? '') : '';
}

const obstacleTo = (part: Part, draft: Draft): string | undefined =>
  draft.deny !== undefined && part !== 'deny' && part !== 'ask' ? 'denied: nothing comes of it' : undefined;

function addInput(
  draft: Draft,
  { nativeInput }: PluginEncoding,
  event: CanonicalEvent,
  { input }: Reduced,
  { how }: Capability,
): string | undefined {
  if (how !== 'now' || input === undefined) return undefined;
  const native = nativeInput(event, input);
  if (typeof native === 'string') return native;
  draft.input = native;
  return undefined;
}

/** How a part gets into the answer. The input is in it already; a grant has no place there. */
const WRITERS: Readonly<Record<Part, (draft: Draft, text: string, capability: Capability, decision: Reduced) => void>> = {
  deny(draft, text, { how }) {
    if (how === 'now') draft.deny = text;
    // A deny that comes too late is something for the model to read.
    else addText(draft, text);
  },
  ask(draft, text) {
    draft.deny = `${text} (Piton: ${NOBODY})`.trim();
  },
  allow() {},
  modify() {},
  rewrite(draft, _, __, { output }) {
    draft.output = output;
  },
  replace: addText,
  continue(draft, text) {
    draft.continue = text;
  },
};

function addText(draft: Draft, text: string): void {
  draft.context = [draft.context, text].filter(Boolean).join('\n');
}

function deliveryOf(part: Part, capability: Capability, title: string, nativeEvent: string): Delivery {
  if (capability.how === 'now') return { decision: part, how: 'now' };
  if (capability.how === 'degraded') return { decision: part, how: 'degraded', note: capability.becomes };
  if (capability.how === 'deferred') return { decision: part, how: 'deferred', note: `until ${capability.until}` };
  return noPlaceFor(part, title, nativeEvent);
}
