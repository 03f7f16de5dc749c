import type { LedgerRow, SessionDetail, SessionSummary, Store } from '@piton/store';
import { continuedBy } from '../handoff/continued.ts';
import { type Handoff, handoffOf } from '../handoff/handoff.ts';

/** What is known of a place before a session starts there: plain data, made in advance and read while an agent waits. */
export interface Overview {
  /** A repository, or the directory where there is none. */
  readonly place: string;
  /** Recent sessions here, by any agent, newest first. */
  readonly sessions: readonly EarlierSession[];
  readonly commits: readonly EarlierCommit[];
  /** Commands that worked here, and errors with what fixed them. */
  readonly learnt: readonly Learnt[];
  /** The working tree as it was last seen; null where nobody looked. */
  readonly image: SeenTree | null;
  /** Its shape, in lines; only where `full` is set. */
  readonly structure?: readonly string[];
}

export interface EarlierSession {
  readonly handoff: Handoff;
  readonly isOpen: boolean;
  /** The session whose work it was handed. */
  readonly continues?: string;
}
export interface EarlierCommit {
  readonly sha: string;
  readonly subject: string | null;
  readonly agent: string;
  readonly session: string;
  readonly branch: string | null;
  readonly wallUs: number;
}
export type Learnt =
  | { readonly kind: 'works'; readonly id: string; readonly command: string; readonly purpose: string }
  | { readonly kind: 'fix'; readonly id: string; readonly error: string; readonly command: string; readonly fixedBy: string };
export interface SeenTree {
  readonly checkpoint: string;
  readonly atMs: number;
  /** Files that differed from HEAD: how many, and some of them. */
  readonly count: number;
  readonly files: readonly string[];
}

const RECENT_US = 14 * 86_400_000_000;
const MOST_SESSIONS = 6;
/** Many are started and left without a prompt. */
const MOST_LOOKED_AT = 100;
const MOST_COMMITS = 10;
const MOST_ROWS = 300;

export type OverviewStore = Pick<Store, 'sessions' | 'session' | 'ledger' | 'observations'>;

export async function readOverview(store: OverviewStore, place: string, image: SeenTree | null, nowUs: number): Promise<Overview> {
  const since = nowUs - RECENT_US;
  const recent = (await store.sessions({ path: place, since, limit: MOST_LOOKED_AT })).filter(isOwn).slice(0, MOST_SESSIONS);
  const sessions: EarlierSession[] = [];
  for (const { id } of recent) {
    const found = await store.session(id);
    if (found.found === 'one') sessions.push(earlierOf(found.value, await store.ledger({ session: id, limit: MOST_ROWS })));
  }
  const commits = await store.ledger({ path: place, kinds: ['commit'], since, limit: MOST_COMMITS });
  const observed = await store.observations({ path: place, kinds: ['works', 'fix'], limit: 20 });
  return {
    place,
    sessions,
    commits: commits.flatMap((row) => commitOf(row, recent)),
    learnt: observed.map(({ id, kind, body }) => ({ id, kind, ...(body as object) }) as Learnt),
    image,
  };
}

/** Of a person, and with something in it: not one that a hook or another session started. */
const isOwn = ({ depth, parentId, turns }: SessionSummary): boolean => depth === 0 && parentId === null && turns > 0;

function earlierOf(session: SessionDetail, rows: readonly LedgerRow[]): EarlierSession {
  const continues = continuedBy(session);
  return {
    handoff: handoffOf(session, rows),
    isOpen: session.turnList.at(-1)?.endedUs === null,
    ...(continues !== undefined && { continues }),
  };
}

function commitOf(row: LedgerRow, sessions: readonly SessionSummary[]): EarlierCommit[] {
  if (row.kind !== 'commit') return [];
  const { sha, subject, agent, session, wallUs } = row;
  return [{ sha, subject, agent, session, wallUs, branch: sessions.find(({ id }) => id === session)?.branch ?? null }];
}
