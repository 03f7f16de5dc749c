import type { PageEvent, PageWholeText } from '@piton/contracts/page';
import type { EventDetail } from '@piton/store';
import { badRequest, notFound } from '../answer.ts';
import { requiredIn } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { LONG, maybeText, ms, startOf, WHOLE } from '../text.ts';
import { decisionIn } from './decision.ts';
import { eventCommands, whatOf } from './event-rows.ts';
import { detailOf } from './items.ts';
import { wholePatch } from './repository/trees.ts';
import { requireStore } from './session.ts';
import { viewOf } from './session-facts.ts';
import { inputText, outputText } from './tool-texts.ts';

export async function answerEvent(reader: PageReader, _: URLSearchParams, id: string): Promise<PageEvent> {
  const store = await requireStore(reader);
  const found = await store.event(id);
  if (found.found !== 'one') throw notFound('no such event');
  const event = found.value;
  const { eventId, tool } = event;
  const [shortId] = await store.shortIds('event', [eventId]);
  return {
    id: eventId,
    shortId: shortId ?? eventId,
    at: ms(event.wallUs),
    name: event.event,
    agent: event.agent,
    session: event.session,
    subagent: event.agentId,
    tool: tool && { name: tool.name, kind: tool.kind, command: tool.command, files: tool.files },
    prompt: maybeText(event.prompt, LONG, `event.prompt.${eventId}`),
    text: maybeText(event.text, LONG, `event.text.${eventId}`),
    payload: maybeText(payloadText(event), LONG, `event.payload.${eventId}`),
    decision: decisionIn(event),
    problems: event.problems,
    expired: event.expired,
    commands: eventCommands(reader.context, event),
  };
}

const payloadText = ({ envelope }: EventDetail): string | null => (envelope === null ? null : JSON.stringify(envelope.payload, null, 2));

/** By what names a text of an event in `PageText.whole`. */
const TEXTS: Readonly<Record<string, (event: EventDetail) => string | null>> = {
  what: whatOf,
  prompt: ({ prompt }) => prompt,
  text: ({ text, prompt, source }) => text ?? prompt ?? source,
  payload: payloadText,
  input: inputText,
  output: outputText,
};

/** A whole text that was cut elsewhere. */
export async function answerText(reader: PageReader, query: URLSearchParams): Promise<PageWholeText> {
  const text = await wholeText(reader, requiredIn(query, 'of').split('.'));
  if (text === null || text === undefined) throw notFound('this text has expired');
  const start = startOf(text, WHOLE);
  return { text: start, cut: text.length - start.length };
}

async function wholeText(reader: PageReader, [of, ...rest]: readonly string[]): Promise<string | null | undefined> {
  const store = await requireStore(reader);
  const [name = '', id = '', at = ''] = rest;
  if (of === 'event') {
    const read = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
    const event = await detailOf(store, id);
    return read && event ? read(event) : undefined;
  }
  if (of === 'trace') {
    const entries = (await detailOf(store, id))?.outcome?.trace.filter((entry) => entry.did === 'ran' || entry.why !== 'no-match');
    const entry = entries?.[Number(at)];
    return entry?.did === 'ran' && (name === 'stdout' || name === 'stderr') ? entry[name] : undefined;
  }
  if (of === 'answer') {
    const view = await viewOf(store, name);
    return view.entries[Number(id)]?.text;
  }
  if (of === 'patch') return wholePatch(reader, rest);
  throw badRequest('no text is called so');
}
