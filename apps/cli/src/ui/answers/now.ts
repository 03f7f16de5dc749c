import type { PageEventRow, PageNow } from '@piton/contracts/page';
import type { EventHeader, Store } from '@piton/store';
import type { PageReader } from '../reader.ts';
import { eventRow } from './event-rows.ts';
import { sessionRows } from './session-rows.ts';

const HOUR_US = 3_600_000_000;
const MAX_RECENT = 50;
const MAX_RUNNING = 50;
/** An open call is looked for among so many. */
const LATEST = 40;

export async function answerNow(reader: PageReader): Promise<PageNow> {
  const store = await reader.store();
  if (store === null) return { seq: 0, at: Date.now(), waiting: [], running: [], recent: [] };
  // Asked first: what comes in meanwhile is in the stream behind it.
  const { seq } = await store.lastChange();
  const waiting = await reader.waits(store);
  const active = await store.sessions({ phase: 'active', limit: MAX_RUNNING });
  const rows = await sessionRows(reader, store, active, waiting);
  const running = await Promise.all(rows.map(async (session) => ({ session, call: await openCall(reader, store, session.id) })));
  return { seq, at: Date.now(), waiting, running, recent: await recentProblems(reader, store) };
}

/** The last call that has not ended. */
async function openCall(reader: PageReader, store: Store, session: string): Promise<PageEventRow | null> {
  const ended = new Set<string>();
  for (const event of await store.events({ session, limit: LATEST })) {
    if (event.event === 'stop' || event.event === 'user_prompt_submit') return null;
    if (event.event === 'pre_tool_use' && !event.derived && event.decision !== 'deny' && !ended.has(keyOf(event)))
      return eventRow(reader.context, event);
    if (event.event === 'post_tool_use' || event.event === 'post_tool_use_failure' || event.event === 'permission_denied')
      ended.add(keyOf(event));
  }
  return null;
}

export const keyOf = ({ tool, agentId }: EventHeader): string =>
  tool?.useId ?? [agentId, tool?.name, tool?.command, ...(tool?.files ?? [])].join('\0');

async function recentProblems(reader: PageReader, store: Store): Promise<PageEventRow[]> {
  const since = Date.now() * 1000 - HOUR_US;
  const limit = MAX_RECENT;
  const [denied, failed, turns, hooks] = await Promise.all([
    store.events({ denied: true, canary: false, since, limit }),
    store.events({ event: 'post_tool_use_failure', derived: false, canary: false, since, limit }),
    store.events({ event: 'stop_failure', canary: false, since, limit }),
    store.hookFailures({ since, limit }),
  ]);
  const ofHooks = await store.events({ ids: hooks.map(({ eventId }) => eventId), limit });
  const all = new Map([...denied, ...failed, ...turns, ...ofHooks].map((event) => [event.seq, event]));
  return [...all.values()]
    .sort((one, other) => other.seq - one.seq)
    .slice(0, limit)
    .map((event) => eventRow(reader.context, event));
}
