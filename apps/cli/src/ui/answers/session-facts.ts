import { waitsIn } from '@piton/context';
import type { PageTime } from '@piton/contracts/page';
import type { EventHeader, HookTime, SessionDetail, Store, StoredTranscript, TurnRecord } from '@piton/store';
import { type TimedEntry, timed } from '../../export/tokens.ts';
import { isAnswered } from '../../waiting/current-waits.ts';
import { notFound } from '../answer.ts';

export const MAX_EVENTS = 100_000;

/** When a person was waited for; `to` is null while they are. */
export interface WaitTime {
  readonly event: EventHeader;
  readonly call: EventHeader | null;
  readonly fromUs: number;
  readonly toUs: number | null;
}

/** What several answers about one session need, all of it. */
export interface SessionView {
  readonly session: SessionDetail;
  /** Oldest first, without test events. */
  readonly events: readonly EventHeader[];
  readonly transcripts: readonly StoredTranscript[];
  /** Theirs, with times. */
  readonly entries: readonly TimedEntry[];
  readonly waits: readonly WaitTime[];
  readonly hooks: readonly HookTime[];
}

const KEPT = 3;
const known = new Map<string, { readonly at: string; readonly view: SessionView }>();

/** Read anew when something has happened in it. A session is looked at part by part. */
export async function viewOf(store: Store, ref: string): Promise<SessionView> {
  const found = await store.session(ref);
  if (found.found !== 'one') throw notFound(found.found === 'none' ? 'no such session' : 'several sessions begin so');
  const session = found.value;
  const heads = await store.transcriptHeads(session.id);
  const at = JSON.stringify([session.lastUs, session.events, session.phase, heads.map(({ entries, characters }) => [entries, characters])]);
  const before = known.get(session.id);
  if (before?.at === at) return before.view;
  const events = (await store.events({ session: session.id, canary: false, limit: MAX_EVENTS })).toReversed();
  const waits = waitsIn(events, isAnswered).map(({ since, call, end }) => ({
    ...{ event: since, call, fromUs: since.wallUs },
    toUs: end === null ? (session.endedUs ?? null) : end.wallUs,
  }));
  const transcripts = await store.transcripts(session.id);
  const entries = timed(transcripts, session.startedUs / 1000);
  const view = { session, events, transcripts, entries, waits, hooks: await store.hookTimes(session.id) };
  known.delete(session.id);
  if (known.size >= KEPT) known.delete([...known.keys()][0] ?? '');
  known.set(session.id, { at, view });
  return view;
}

export interface Span {
  readonly fromUs: number;
  readonly toUs: number;
}

/** From its first event to that of the next turn: what comes between two turns belongs to the one before. */
export function spanOf({ session }: SessionView, turn: TurnRecord): Span {
  const next = session.turnList.find(({ number }) => number === turn.number + 1);
  return { fromUs: turn.number === 1 ? 0 : turn.startedUs, toUs: next?.startedUs ?? Number.MAX_SAFE_INTEGER };
}

export const isWithin = ({ fromUs, toUs }: Span, us: number): boolean => us >= fromUs && us < toUs;

/** Where the time of a turn went. What waited at the same time counts once. */
export function timeOf({ session, waits, hooks }: SessionView, turn: TurnRecord): PageTime {
  const span = { fromUs: turn.startedUs, toUs: turn.endedUs ?? session.lastUs };
  let waitingUs = 0;
  let until = span.fromUs;
  for (const { fromUs, toUs } of [...waits].sort((one, other) => one.fromUs - other.fromUs)) {
    const [from, to] = [Math.max(fromUs, until), Math.min(toUs ?? span.toUs, span.toUs)];
    if (to <= from) continue;
    waitingUs += to - from;
    until = to;
  }
  const hooksMs = hooks.filter(({ wallUs }) => isWithin(span, wallUs)).reduce((sum, { ms }) => sum + ms, 0);
  const waitingMs = Math.round(waitingUs / 1000);
  const agentMs = Math.max(0, Math.round((span.toUs - span.fromUs) / 1000 - waitingMs - hooksMs));
  return { agentMs, waitingMs, hooksMs: Math.round(hooksMs) };
}

export const sumTimes = (times: readonly PageTime[]): PageTime =>
  times.reduce(
    (sum, one) => ({
      agentMs: sum.agentMs + one.agentMs,
      waitingMs: sum.waitingMs + one.waitingMs,
      hooksMs: sum.hooksMs + one.hooksMs,
    }),
    { agentMs: 0, waitingMs: 0, hooksMs: 0 },
  );
