import type { EventName } from '@piton/contracts';
import { EVENTS } from '@piton/contracts';
import type { PageEventRow, PageList, PageSession } from '@piton/contracts/page';
import { badRequest } from '../answer.ts';
import { filterIn, limitIn, listOf, positionIn, positionOf } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { eventRow } from './event-rows.ts';
import { sessionRows } from './session-rows.ts';

const NONE = { items: [], next: null };
const PHASES = ['idle', 'active', 'ended'] as const;

export async function answerSessions(reader: PageReader, query: URLSearchParams): Promise<PageList<PageSession>> {
  const store = await reader.store();
  if (store === null) return NONE;
  const limit = limitIn(query);
  const phase = PHASES.find((one) => one === query.get('phase'));
  if (query.has('phase') && phase === undefined) throw badRequest('phase is idle, active or ended');
  const [lastUs, id] = positionIn(query) ?? [];
  const found = await store.sessions({
    ...(await filterIn(reader, query)),
    ...{ limit: limit + 1, parent: query.get('below') },
    ...(phase && { phase }),
    ...(query.has('denied') && { denied: true }),
    ...(typeof lastUs === 'number' && typeof id === 'string' && { after: { lastUs, id } }),
  });
  const rows = await sessionRows(reader, store, found.slice(0, limit), await reader.waits(store));
  return listOf(found, limit, (last) => positionOf(last.lastUs, last.id), rows);
}

export async function answerEvents(reader: PageReader, query: URLSearchParams): Promise<PageList<PageEventRow>> {
  const store = await reader.store();
  if (store === null) return NONE;
  const limit = limitIn(query);
  const [before] = positionIn(query) ?? [];
  const session = query.get('session');
  const name = query.get('name');
  if (name !== null && !EVENTS.includes(name as EventName)) throw badRequest('no such event');
  const found = await store.events({
    ...(await filterIn(reader, query)),
    ...{ limit: limit + 1, canary: false },
    ...(session && { session }),
    ...(name && { event: name as EventName }),
    ...(query.has('denied') && { denied: true }),
    ...(typeof before === 'number' && { before }),
  });
  const rows = found.map((event) => eventRow(reader.context, event));
  return listOf(found, limit, (last) => positionOf(last.seq), rows);
}
