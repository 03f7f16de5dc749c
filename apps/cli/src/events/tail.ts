import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from '@piton/contracts/places';
import type { EventHeader, EventQuery, Store } from '@piton/store';
import { type Context, printLine } from '../context.ts';
import { openExisting } from '../open-store.ts';
import { jsonText } from '../output/safe-text.ts';
import { oneLine, truncate, widthOf } from '../output/text.ts';
import { formatTime } from '../output/time.ts';
import { newEvents } from './new-events.ts';
import { decisionColour, decisionOf, subjectOf } from './row.ts';

const POLL_MS = 250;

/** Follows the store until Ctrl-C, or until the reader is gone. */
export async function tailEvents(context: Context, places: Places, query: EventQuery, json: boolean): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  context.readerGone.addEventListener('abort', () => stop.abort());
  if (!json && context.interactive) printLine(context, context.paint('dim', 'Waiting for events. Press Ctrl-C to stop.'));
  const store = await waitForStore(places, stop.signal);
  if (!store) return;
  try {
    for await (const event of newEvents(store, query, stop.signal)) print(context, event, json);
  } finally {
    await store.close();
  }
}

/** Before the first event there is no store to open. */
async function waitForStore(places: Places, signal: AbortSignal): Promise<Store | undefined> {
  while (!signal.aborted) {
    const store = await openExisting(places);
    if (store !== undefined) return store;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

function print(context: Context, event: EventHeader, json: boolean): void {
  if (json) return printLine(context, jsonText(event));
  const { paint } = context;
  const name = event.event === 'other' ? event.nativeEvent : event.event;
  const decision = paint(decisionColour(event.decision), decisionOf(event).padEnd(8));
  const head = `${formatTime(event.wallUs / 1000)}  ${event.agent.padEnd(8)} ${name.padEnd(21)} ${decision} `;
  printLine(context, `${head}${truncate(oneLine(subjectOf(event)), Math.max(8, context.width - widthOf(head)))}`);
  if (event.reason && event.decision === 'deny')
    printLine(context, paint('dim', `${' '.repeat(19)}↳ ${truncate(oneLine(event.reason), context.width - 21)}`));
}
