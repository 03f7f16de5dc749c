import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from '@piton/contracts/places';
import { type EventHeader, type EventQuery, openStore, type Store } from '@piton/store';
import { type Context, say } from '../context.ts';
import { Failure } from '../failure.ts';
import { storeRemedy } from '../open-store.ts';
import { jsonText } from '../output/harmless.ts';
import { cut, oneLine, widthOf } from '../output/text.ts';
import { clock } from '../output/time.ts';
import { decisionColour, decisionOf, subjectOf } from './row.ts';

const POLL_MS = 250;
const BATCH = 500;

/** Follows the store until Ctrl-C, or until nobody reads it any more. */
export async function tailEvents(context: Context, places: Places, query: EventQuery, json: boolean): Promise<void> {
  const interrupted = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve('stop'));
    context.readerGone.addEventListener('abort', () => resolve('stop'));
  });
  if (!json && context.interactive) say(context, context.paint('dim', 'Waiting for events. Ctrl-C ends it.'));
  const store = await openWhenThere(places, interrupted);
  if (!store) return;
  try {
    let after = query.since === undefined ? (await store.stats()).lastSeq : 0;
    for (;;) {
      const events = await store.events({ ...query, afterSeq: after, limit: BATCH });
      for (const event of events) print(context, event, json);
      after = events.at(-1)?.seq ?? after;
      if (events.length < BATCH && (await Promise.race([interrupted, sleep(POLL_MS)])) === 'stop') return;
    }
  } finally {
    await store.close();
  }
}

/** Before the first event there is no store to open. */
async function openWhenThere(places: Places, interrupted: Promise<'stop'>): Promise<Store | undefined> {
  while (!existsSync(places.store)) if ((await Promise.race([interrupted, sleep(POLL_MS)])) === 'stop') return undefined;
  const opened = await openStore(places.store, { readonly: true });
  if (opened.ok) return opened.store;
  throw new Failure(`the store cannot be read: ${opened.error}`, { where: places.store, remedy: storeRemedy(opened) });
}

function print(context: Context, event: EventHeader, json: boolean): void {
  if (json) return say(context, jsonText(event));
  const { paint } = context;
  const name = event.event === 'other' ? event.nativeEvent : event.event;
  const decision = paint(decisionColour(event.decision), decisionOf(event).padEnd(8));
  const head = `${clock(event.wallUs / 1000)}  ${event.agent.padEnd(8)} ${name.padEnd(21)} ${decision} `;
  say(context, `${head}${cut(oneLine(subjectOf(event)), Math.max(8, context.width - widthOf(head)))}`);
  if (event.reason && event.decision === 'deny')
    say(context, paint('dim', `${' '.repeat(19)}↳ ${cut(oneLine(event.reason), context.width - 21)}`));
}
