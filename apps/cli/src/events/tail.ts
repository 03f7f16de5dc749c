import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from '@piton/contracts/places';
import type { EventHeader, EventQuery, Store } from '@piton/store';
import { type Context, printAsIs, printLine } from '../context.ts';
import { openExisting } from '../open-store.ts';
import { fitLines } from '../output/fit.ts';
import { jsonText } from '../output/safe-text.ts';
import { oneLine, shortLine, widthOf } from '../output/text.ts';
import { formatTime } from '../output/time.ts';
import { adviceFor } from './advice.ts';
import { newEvents } from './new-events.ts';
import { decisionOf } from './row.ts';
import { isInternal, resultOf, whatHappened } from './words.ts';

const POLL_MS = 250;

interface TailOptions {
  readonly json: boolean;
  /** Also what follows from another event. */
  readonly everything: boolean;
}

/** Follows the store until Ctrl-C, or until the reader is gone. */
export async function tailEvents(context: Context, places: Places, query: EventQuery, how: TailOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  context.readerGone.addEventListener('abort', () => stop.abort());
  if (!how.json && context.interactive) printLine(context, context.paint('dim', 'Waiting for events. Press Ctrl-C to stop.'));
  const store = await waitForStore(places, stop.signal);
  if (!store) return;
  try {
    for await (const event of newEvents(store, query, stop.signal)) print(context, event, await adviceFor(context, store, event), how);
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

function print(context: Context, event: EventHeader, advice: string | null, { json, everything }: TailOptions): void {
  if (json) return printAsIs(context, jsonText(advice === null ? event : { ...event, advice }));
  if (!everything && isInternal(event)) return;
  const { paint } = context;
  const one = { event, parts: [event] };
  const { text, reason, colour } = resultOf(one);
  const head = `${formatTime(event.wallUs / 1000)}  ${event.agent.padEnd(8)} `;
  const end = everything ? `${event.event === 'other' ? event.nativeEvent : event.event}, ${decisionOf(event)}` : text;
  const room = Math.max(8, context.width - widthOf(head) - (end ? widthOf(end) + 2 : 0));
  printLine(context, `${head}${shortLine(whatHappened(one), room)}${end ? `  ${paint(colour, end)}` : ''}`);
  if (reason) printLine(context, paint('dim', `${' '.repeat(10)}↳ ${shortLine(reason, context.width - 12)}`));
  // In full: it ends with what to do.
  if (advice) printLine(context, fitLines(`${' '.repeat(10)}↳ ${oneLine(advice)}`, context.width));
}
