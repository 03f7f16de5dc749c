import { setTimeout as sleep } from 'node:timers/promises';
import type { Changed, Store } from '@piton/store';

/**
 * Where records and Piton's own events go on to once they are redacted and stored: a feed, OpenTelemetry, a team. Each is given
 * what is new or has changed, in the order of the change sequence and at least once: what it was given when it failed, or when
 * the server died, it is given again.
 */
export interface RecordSink {
  /** Under this name the store keeps how far it has come. One that is new gets everything. */
  readonly name: string;
  /** The next batch comes when this is done; if it throws, the same comes again later. */
  receive(batch: readonly Changed[]): Promise<void>;
}

/** Those that this server feeds. None yet. */
export const SINKS: RecordSink[] = [];

/** Bodies may be of 32 MiB: few at a time. */
const BATCH = 20;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1000, 60_000];

export interface FeedPorts {
  readonly signal: AbortSignal;
  readonly trouble: (what: string, remedy: string) => void;
  readonly firstRetryMs?: number;
}

/** Each reads on by itself: one that is slow or fails holds up neither the recorder nor another sink. */
export function feedSinks(store: Store, sinks: readonly RecordSink[], ports: FeedPorts): void {
  for (const sink of sinks) void feed(store, sink, ports);
}

async function feed(store: Store, sink: RecordSink, ports: FeedPorts): Promise<void> {
  const { signal, trouble, firstRetryMs = FIRST_RETRY_MS } = ports;
  for (let failures = 0; !signal.aborted; ) {
    try {
      await feedOnce(store, sink, signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0)
        trouble(`the sink ${sink.name} failed: ${(error as Error).message}`, 'nothing is lost: it is given the same again later');
      await sleep(Math.min(firstRetryMs * 2 ** failures++, LAST_RETRY_MS), undefined, { signal }).catch(() => {});
    }
  }
}

async function feedOnce(store: Store, sink: RecordSink, signal: AbortSignal): Promise<void> {
  const from = await store.readerPosition(sink.name);
  const changes = await store.changesSince(from, BATCH);
  const last = changes.at(-1);
  if (last === undefined) return store.waitForChange(from, signal);
  const batch: Changed[] = [];
  for (const change of changes) {
    const changed = await store.loadChange(change);
    if (changed !== undefined) batch.push(changed);
  }
  await sink.receive(batch);
  const moved = await store.moveReader(sink.name, last.seq);
  if (!moved.ok) throw new Error(moved.error);
}
