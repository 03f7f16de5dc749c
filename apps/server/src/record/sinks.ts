import { setTimeout as sleep } from 'node:timers/promises';
import type { Changed, Store } from '@piton/store';

/**
 * Receives records and Piton's events once they are redacted and stored: a feed, OpenTelemetry, a team server. Each sink gets
 * what is new or has changed, in the order of the change sequence, at least once: after a failure or a crash of the server it
 * gets the same batch again.
 */
export interface RecordSink {
  /** The store keeps the sink's position under this name. A new sink gets everything. */
  readonly name: string;
  /** The next batch is sent when this resolves. If it throws, the same batch is sent again later. */
  receive(batch: readonly Changed[]): Promise<void>;
}

/** The sinks that this server feeds. None yet. */
export const SINKS: RecordSink[] = [];

/** A body may have 32 MiB, so batches are small. */
const BATCH = 20;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1000, 60_000];

export interface FeedPorts {
  readonly signal: AbortSignal;
  readonly reportProblem: (what: string, remedy: string) => void;
  readonly firstRetryMs?: number;
}

/** Each sink reads independently: a slow or failing one delays neither the recorder nor another sink. */
export function feedSinks(store: Store, sinks: readonly RecordSink[], ports: FeedPorts): void {
  for (const sink of sinks) void feed(store, sink, ports);
}

async function feed(store: Store, sink: RecordSink, ports: FeedPorts): Promise<void> {
  const { signal, reportProblem, firstRetryMs = FIRST_RETRY_MS } = ports;
  for (let failures = 0; !signal.aborted; ) {
    try {
      await feedOnce(store, sink, signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0)
        reportProblem(
          `the sink ${sink.name} failed: ${(error as Error).message}`,
          'nothing is lost: the same records are sent again later',
        );
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
