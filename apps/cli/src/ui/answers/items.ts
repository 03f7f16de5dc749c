import type { Checkpoint } from '@piton/checkpoints';
import type { PageItem, PageList } from '@piton/contracts/page';
import type { EventDetail, EventHeader, Store } from '@piton/store';
import { badRequest } from '../answer.ts';
import { limitIn, numberIn, positionIn, positionOf } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { boundedText, LONG, maybeText, ms } from '../text.ts';
import { decisionIn } from './decision.ts';
import { eventCommands } from './event-rows.ts';
import { keyOf } from './now.ts';
import { checkpointCommands, checkpointRow, knownSessions } from './repository/checkpoint-rows.ts';
import { checkpointsOf, requireStore } from './session.ts';
import { isWithin, type SessionView, type Span, spanOf, viewOf } from './session-facts.ts';
import { inputText, outputText } from './tool-texts.ts';

/** Something of the session before its texts are read: there may be a hundred thousand. */
type LinePoint = { readonly us: number } & (
  | { readonly is: 'event'; readonly event: EventHeader; readonly end: EventHeader | null }
  | { readonly is: 'answer'; readonly at: number }
  | { readonly is: 'checkpoint'; readonly checkpoint: Checkpoint }
);

const OVER: ReadonlySet<string> = new Set(['post_tool_use', 'post_tool_use_failure', 'permission_denied']);

export async function answerItems(reader: PageReader, query: URLSearchParams, id: string): Promise<PageList<PageItem>> {
  const store = await requireStore(reader);
  const view = await viewOf(store, id);
  const number = numberIn(query, 'turn');
  const limit = limitIn(query, 100);
  const checkpoints = await checkpointsOf(reader, view.session);
  const all = pointsOf(view, checkpoints);
  const points = number === undefined ? all : all.filter(isInTurn(view, number));
  const [from = 0] = positionIn(query) ?? [];
  if (typeof from !== 'number') throw badRequest('after is not one of ours');
  const shown = points.slice(from, from + limit);
  const sessionOf = await knownSessions(store, checkpoints.slice(0, 1));
  const items: PageItem[] = [];
  for (const point of shown) {
    const item = await itemOf({ reader, store, view, sessionOf }, point);
    if (item !== null) items.push(item);
  }
  return { items, next: from + limit < points.length ? positionOf(from + limit) : null };
}

/** Turn 0 is what was before the first. */
function turnSpan(view: SessionView, number: number): Span {
  const [first] = view.session.turnList;
  if (number === 0) return { fromUs: 0, toUs: first?.startedUs ?? Number.MAX_SAFE_INTEGER };
  const turn = view.session.turnList.find((one) => one.number === number);
  if (turn === undefined) throw badRequest(`there is no turn ${number}`);
  return { fromUs: turn.startedUs, toUs: spanOf(view, turn).toUs };
}

function pointsOf(view: SessionView, checkpoints: readonly Checkpoint[]): LinePoint[] {
  const points: LinePoint[] = [
    ...pairCalls(view.events).map(({ event, end }): LinePoint => ({ is: 'event', us: event.wallUs, event, end })),
    ...view.entries.flatMap((entry, at): LinePoint[] => (entry.kind === 'answer' ? [{ is: 'answer', us: entry.ms * 1000, at }] : [])),
    ...checkpoints.map((checkpoint): LinePoint => ({ is: 'checkpoint', us: checkpoint.at.getTime() * 1000, checkpoint })),
  ];
  // Array sorting is stable: what has the same time keeps the order in which it was recorded.
  return points.sort((one, other) => one.us - other.us);
}

/** By time, but for a checkpoint: that of a turn's end may come when the next has begun. */
function isInTurn(view: SessionView, number: number): (point: LinePoint) => boolean {
  const span = turnSpan(view, number);
  const turns = new Map(view.session.turnList.map((turn) => [turn.id, turn.number]));
  return (point) => {
    const turn = point.is === 'checkpoint' ? turns.get(point.checkpoint.turn ?? '') : undefined;
    return turn === undefined ? isWithin(span, point.us) : turn === number;
  };
}

/** Each call with the event of its end. What Claude's words call `other` is shown only if a hook had to do with it. */
function pairCalls(events: readonly EventHeader[]): { readonly event: EventHeader; readonly end: EventHeader | null }[] {
  const ends = new Map<string, EventHeader[]>();
  for (const event of events) if (OVER.has(event.event)) ends.set(keyOf(event), [...(ends.get(keyOf(event)) ?? []), event]);
  const paired: { event: EventHeader; end: EventHeader | null }[] = [];
  for (const event of events) {
    if (event.derived || OVER.has(event.event) || (event.event === 'other' && event.decision === null)) continue;
    const end = event.event === 'pre_tool_use' ? (ends.get(keyOf(event)) ?? []).find(({ wallUs }) => wallUs >= event.wallUs) : undefined;
    if (end)
      ends.set(
        keyOf(event),
        (ends.get(keyOf(event)) ?? []).filter((one) => one !== end),
      );
    paired.push({ event, end: end ?? null });
  }
  return paired;
}

interface ItemPorts {
  readonly reader: PageReader;
  readonly store: Store;
  readonly view: SessionView;
  readonly sessionOf: (ref: string | null) => string | null;
}

async function itemOf(ports: ItemPorts, point: LinePoint): Promise<PageItem | null> {
  const { reader, view } = ports;
  if (point.is === 'event') return eventItem(ports, point.event, point.end);
  if (point.is === 'checkpoint') {
    const { checkpoint } = point;
    const root = view.session.repo ?? view.session.projectPath;
    return {
      ...{ kind: 'checkpoint', id: `checkpoint.${checkpoint.id}`, at: ms(point.us), event: null, subagent: null, decision: null },
      checkpoint: checkpointRow(root, checkpoint, ports.sessionOf),
      commands: checkpointCommands(reader, root, checkpoint),
    };
  }
  const entry = view.entries[point.at];
  if (!entry?.text) return null;
  const id = `answer.${view.session.id}.${point.at}`;
  return {
    ...{ kind: 'answer', id, at: ms(point.us), event: null, subagent: entry.subagent ? 'subagent' : null, decision: null, commands: [] },
    ...{ text: boundedText(entry.text, LONG, id), model: entry.model },
  };
}

async function eventItem({ reader, store, view }: ItemPorts, event: EventHeader, end: EventHeader | null): Promise<PageItem | null> {
  const detail = await detailOf(store, event.eventId);
  const id = event.eventId;
  const head = {
    ...{ id, at: ms(event.wallUs), event: id, subagent: event.agentId },
    decision: detail ? decisionIn(detail) : null,
    commands: eventCommands(reader.context, event),
  };
  switch (event.event) {
    case 'user_prompt_submit':
      if (event.prompt === null || event.source === 'subagent') break;
      return { kind: 'prompt', ...head, text: boundedText(event.prompt, LONG, `event.prompt.${id}`) };
    case 'pre_tool_use':
      return toolItem({ store, view }, { ...head, event, detail, end });
    case 'permission_request': {
      const wait = view.waits.find((one) => one.event.eventId === id);
      if (wait === undefined) break;
      const what = event.tool?.command ?? event.tool?.files.join(', ') ?? '';
      return {
        kind: 'waiting',
        ...head,
        endedAt: wait.toUs === null ? null : ms(wait.toUs),
        what: boundedText(what, LONG, `event.what.${id}`),
      };
    }
    default:
  }
  return {
    kind: 'event',
    ...head,
    name: event.event,
    text: maybeText(detail?.text ?? event.prompt ?? event.source, LONG, `event.text.${id}`),
  };
}

interface Call extends Omit<Extract<PageItem, { kind: 'event' }>, 'kind' | 'name' | 'text' | 'event'> {
  readonly event: EventHeader;
  readonly detail: EventDetail | undefined;
  readonly end: EventHeader | null;
}

async function toolItem({ store, view }: Pick<ItemPorts, 'store' | 'view'>, { event, detail, end, ...head }: Call): Promise<PageItem> {
  const { tool, eventId } = event;
  const after = end === null ? undefined : await detailOf(store, end.eventId);
  const isDenied = event.decision === 'deny' || end?.event === 'permission_denied';
  const wait = view.waits.find(({ call }) => call?.eventId === eventId);
  const waitedMs = wait ? ms((wait.toUs ?? view.session.lastUs) - wait.fromUs) : 0;
  const state = isDenied ? 'denied' : end === null ? 'open' : end.event === 'post_tool_use_failure' ? 'failed' : 'done';
  const isOver = view.session.phase !== 'active' || view.session.lastUs > event.wallUs + 3_600_000_000;
  return {
    kind: 'tool',
    ...head,
    event: eventId,
    name: tool?.name ?? '?',
    tool: tool?.kind ?? 'other',
    command: maybeText(tool?.command, LONG, `event.what.${eventId}`),
    files: tool?.files ?? [],
    input: maybeText(detail && inputText(detail), LONG, `event.input.${eventId}`),
    output: maybeText(after && outputText(after), LONG, `event.output.${end?.eventId}`),
    state: state === 'open' && isOver ? 'done' : state,
    endedAt: end === null ? null : ms(end.wallUs),
    waitedMs,
  };
}

export async function detailOf(store: Store, id: string): Promise<EventDetail | undefined> {
  const found = await store.event(id);
  return found.found === 'one' ? found.value : undefined;
}
