import { waitsIn } from '@piton/context';
import type { PageLane, PageLanes, PageMark, PageSession, PageSpan } from '@piton/contracts/page';
import type { EventHeader, SessionSummary, Store, TurnRecord } from '@piton/store';
import { oneLine } from '../../output/text.ts';
import { type CommitRow, commitsOf } from '../../sessions/commits.ts';
import { isAnswered } from '../../waiting/current-waits.ts';
import { filterIn, numberIn } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { maybeMs, ms, startOf } from '../text.ts';
import { hasFailed, whatOf } from './event-rows.ts';
import { keyOf } from './now.ts';
import { sessionRows } from './session-rows.ts';

const MAX_LANES = 40;
/** Of one session: the latest are shown. */
const MAX_EVENTS = 600;
const LABEL = 160;
const HOURS = 6;

/** Sessions side by side in time, each with its subagents below it. */
export async function answerLanes(reader: PageReader, query: URLSearchParams): Promise<PageLanes> {
  const to = numberIn(query, 'until') ?? Date.now();
  const from = numberIn(query, 'since') ?? to - HOURS * 3_600_000;
  const store = await reader.store();
  if (store === null) return { from, to, lanes: [], cut: false };
  const filter = { ...(await filterIn(reader, query)), since: from * 1000 };
  const found = (await store.sessions({ ...filter, limit: MAX_LANES + 1 })).filter(({ startedUs }) => startedUs <= to * 1000);
  const shown = found.slice(0, MAX_LANES);
  const rows = await sessionRows(reader, store, shown, await reader.waits(store));
  const lanes = new Map<string, PageLane>();
  for (const [at, session] of shown.entries()) {
    const row = rows[at];
    if (row !== undefined) lanes.set(session.id, await laneOf(store, session, row, { from, to }));
  }
  const top: PageLane[] = [];
  const below = new Map<string, PageLane[]>();
  for (const lane of lanes.values()) {
    const { parent } = lane.session;
    if (parent !== null && lanes.has(parent)) below.set(parent, [...(below.get(parent) ?? []), lane]);
    else top.push(lane);
  }
  const nested = (lane: PageLane): PageLane => ({ ...lane, lanes: [...lane.lanes, ...(below.get(lane.session.id) ?? []).map(nested)] });
  return { from, to, lanes: top.map(nested), cut: found.length > MAX_LANES };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function laneOf(store: Store, summary: SessionSummary, session: PageSession, range: Range): Promise<PageLane> {
  const events = (await store.events({ session: summary.id, canary: false, limit: MAX_EVENTS })).toReversed();
  const detail = await store.session(summary.id);
  const turns = detail.found === 'one' ? detail.value.turnList : [];
  const commits = (await commitsOf(store, summary.id)).map(commitMark);
  const subagents = [...new Set(events.flatMap(({ agentId }) => agentId ?? []))];
  const isIn = ({ from, to }: PageSpan): boolean => from <= range.to && (to ?? range.to) >= range.from;
  const ofAgent = (agent: string | null, ownTurns: readonly TurnRecord[], more: readonly PageMark[]): Pick<PageLane, 'spans' | 'marks'> => {
    const own = events.filter(({ agentId }) => agentId === agent);
    const spans = [...ownTurns.map(turnSpan), ...callSpans(own, session), ...waitSpans(events, agent)].filter(isIn);
    return { spans, marks: [...own.flatMap(marksOf), ...more].filter(({ at }) => at >= range.from && at <= range.to) };
  };
  return {
    ...{ session, subagent: null, ...ofAgent(null, turns, commits), cut: events.length === MAX_EVENTS },
    lanes: subagents.map((agent): PageLane => ({ ...{ session, subagent: agent, cut: false, lanes: [] }, ...ofAgent(agent, [], []) })),
  };
}

const labelOf = (text: string): string => startOf(oneLine(text), LABEL);

const turnSpan = (turn: TurnRecord): PageSpan => ({
  ...{ kind: 'turn', from: ms(turn.startedUs), to: maybeMs(turn.endedUs), event: turn.id, label: labelOf(turn.prompt ?? '') },
  state: turn.endedUs === null ? 'open' : turn.closed === 'failure' || turn.closed === 'crash' ? 'failed' : 'done',
});

function callSpans(events: readonly EventHeader[], { phase, lastAt }: PageSession): PageSpan[] {
  const open = new Map<string, { span: PageSpan }>();
  const spans: { span: PageSpan }[] = [];
  for (const event of events) {
    const at = ms(event.wallUs);
    if (event.event === 'pre_tool_use' && !event.derived) {
      const isDenied = event.decision === 'deny';
      const label = labelOf([...new Set([event.tool?.name ?? '', whatOf(event)])].join(' '));
      const begun = {
        span: {
          kind: 'tool',
          from: at,
          to: isDenied ? at : null,
          event: event.eventId,
          label,
          state: isDenied ? 'denied' : 'open',
        } as PageSpan,
      };
      spans.push(begun);
      if (!isDenied) open.set(keyOf(event), begun);
    } else if (event.event === 'post_tool_use' || event.event === 'post_tool_use_failure' || event.event === 'permission_denied') {
      const begun = open.get(keyOf(event));
      if (begun === undefined) continue;
      const state = event.event === 'post_tool_use' ? 'done' : event.event === 'permission_denied' ? 'denied' : 'failed';
      begun.span = { ...begun.span, to: at, state };
      open.delete(keyOf(event));
    }
  }
  // Of a call whose end nobody told, nothing goes on once the session has ended or stopped.
  return spans.map(({ span }) => (span.state === 'open' && phase !== 'active' ? { ...span, to: lastAt, state: 'done' } : span));
}

const waitSpans = (events: readonly EventHeader[], agent: string | null): PageSpan[] =>
  waitsIn(events, isAnswered)
    .filter(({ since }) => since.agentId === agent)
    .map(({ since, call, end }) => ({
      ...{ kind: 'waiting', from: ms(since.wallUs), to: end === null ? null : ms(end.wallUs), event: since.eventId },
      ...{ label: labelOf(whatOf(call ?? since)), state: end === null ? 'open' : 'done' },
    }));

const commitMark = ({ eventId, wallUs, sha, subject }: CommitRow): PageMark => ({
  ...{ kind: 'commit', at: ms(wallUs), event: eventId },
  label: labelOf(`${sha.slice(0, 9)} ${subject ?? ''}`.trim()),
});

function marksOf(event: EventHeader): PageMark[] {
  const mark = (kind: PageMark['kind'], label: string): PageMark[] => [
    { kind, at: ms(event.wallUs), event: event.eventId, label: labelOf(label) },
  ];
  if (event.decision === 'deny' && !event.derived) return mark('denial', event.reason ?? whatOf(event));
  if (hasFailed(event)) return mark('failure', whatOf(event));
  if (event.event === 'pre_compact') return mark('compaction', event.source ?? '');
  return event.names.includes('todo_update') ? mark('todo', whatOf(event)) : [];
}
