import type { PageChange, PageFrame, Waiting } from '@piton/contracts/page';
import type { Change, Store } from '@piton/store';
import type { News } from './answer-thread.ts';
import { eventRow } from './answers/event-rows.ts';
import { sessionRows } from './answers/session-rows.ts';
import type { PageReader } from './reader.ts';

const MOST = 500;

/** What is new behind a position, as one frame; a position that is none of this store's is set anew. */
export async function newsAfter(reader: PageReader, after: number | null, store: string | null): Promise<News> {
  const from = await reader.store();
  if (from === null) return { is: 'none' };
  const position = await from.lastChange();
  if (after === null || (store !== null && store !== position.store) || after > position.seq)
    return { is: 'reset', reset: { store: position.store, seq: position.seq } };
  if (position.seq === after) return { is: 'none' };
  const changes = await from.changesSince(after, MOST);
  const last = changes.at(-1);
  if (last === undefined) return { is: 'none' };
  const waiting = await reader.waits(from);
  const shown = await shownChanges(reader, from, changes, waiting);
  const frame: PageFrame = { seq: last.seq, changes: shown, waiting };
  return { is: 'frame', frame };
}

async function shownChanges(
  reader: PageReader,
  store: Store,
  changes: readonly Change[],
  waiting: readonly Waiting[],
): Promise<PageChange[]> {
  const idsOf = (kind: Change['kind']): string[] => changes.flatMap((change) => (change.kind === kind ? [change.id] : []));
  const events = new Map((await store.events({ ids: idsOf('event'), limit: MOST })).map((event) => [event.eventId, event]));
  const found = await store.sessions({ ids: idsOf('session'), limit: MOST });
  const sessions = new Map((await sessionRows(reader, store, found, waiting)).map((row) => [row.id, row]));
  const shown: PageChange[] = [];
  for (const change of changes) {
    const { seq, kind, id } = change;
    if (kind === 'event') {
      const event = events.get(id);
      shown.push(event === undefined ? { seq, kind: 'gone', id } : { seq, kind, id, event: eventRow(reader.context, event) });
    } else if (kind === 'session') {
      const session = sessions.get(id);
      shown.push(session === undefined ? { seq, kind: 'gone', id } : { seq, kind, id, session });
    } else shown.push(await otherChange(store, { seq, kind, id }));
  }
  return shown;
}

async function otherChange(store: Store, change: Change & { kind: Exclude<Change['kind'], 'event' | 'session'> }): Promise<PageChange> {
  const { seq, kind, id } = change;
  const found = await store.loadChange(change);
  if (found === undefined) return { seq, kind: 'gone', id };
  const session = found.kind === 'observation' || found.kind === 'transcript' ? found.value.session : null;
  const name = found.kind === 'piton-event' ? found.value.event.event : null;
  return { seq, kind, id, session, name };
}
