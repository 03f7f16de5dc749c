import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventQuery, openStore, type Store } from '@piton/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE_MS, DENIED, event, RUNS, stampOf } from '../../../../packages/store/test/records.ts';
import { newEvents } from '../../src/events/new-events.ts';

let directory: string;
let writer: Store;
let reader: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-events-'));
  const target = { kind: 'sqlite', file: join(directory, 'piton.db') } as const;
  const [writing, reading] = [await openStore(target), await openStore(target, { readonly: true })];
  if (!writing.ok || !reading.ok) throw new Error('no store');
  [writer, reader] = [writing.store, reading.store];
});
afterEach(async () => {
  await reader.close();
  await writer.close();
  rmSync(directory, { recursive: true, force: true });
});

const numbers = new Map(Array.from({ length: 3000 }, (_, n) => [stampOf(n), n]));

/** Follows in the background and collects the numbers of the events. */
function follow(query: EventQuery = {}) {
  const stop = new AbortController();
  const seen: number[] = [];
  const done = (async () => {
    for await (const { eventId } of newEvents(reader, query, stop.signal)) seen.push(numbers.get(eventId) as number);
  })();
  return {
    seen,
    until: (count: number) => expect.poll(() => seen.length, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(count),
    async stop(): Promise<void> {
      stop.abort();
      await done;
    },
    /** A marker event: everything before it was printed. */
    async end(mark: number): Promise<number[]> {
      await writer.record([event(mark)]);
      await expect.poll(() => seen.includes(mark), { timeout: 20_000, interval: 20 }).toBe(true);
      await this.stop();
      return seen.filter((n) => n !== mark);
    },
  };
}

describe('following events', () => {
  it('prints new events, and not older ones', async () => {
    await writer.record([event(1), event(2)]);
    const following = follow();
    // It starts once it has read the latest change. Until then a new event may count as an older one.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await writer.record([event(3), event(4)]);
    expect(await following.end(99)).toEqual([3, 4]);
  });

  it('prints an event once, even if it is answered, gets more runs or is dropped later', async () => {
    const following = follow({ since: 0 });
    await writer.record([event(1, { late: true }), event(2)]);
    await following.until(2);
    await writer.record([event(1, { outcome: DENIED })]);
    await writer.addRuns(stampOf(2), RUNS);
    await writer.expire({ now: Date.now() + 1000, days: 0, maxBytes: Number.MAX_SAFE_INTEGER });
    expect(await following.end(99)).toEqual([1, 2]);
  });

  it('misses none that is answered before it was printed', async () => {
    const following = follow({ since: 0 });
    for (let n = 1; n < 400; n += 2) {
      await writer.record([event(n, { late: true })]);
      await writer.record([event(n + 1), event(n, { outcome: DENIED })]);
      if (n % 20 === 1) await new Promise((resolve) => setTimeout(resolve, n % 7));
    }
    const seen = await following.end(2000);
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, at) => at + 1));
  });

  it('lists events since a time, more than one page, and continues with new ones', async () => {
    await writer.record(Array.from({ length: 1200 }, (_, at) => event(at + 1)));
    const following = follow({ since: (BASE_MS + 101) * 1000 });
    await following.until(1100);
    await writer.record([event(1500)]);
    expect(await following.end(2000)).toEqual([...Array.from({ length: 1100 }, (_, at) => at + 101), 1500]);
  });

  it('prints only what matches', async () => {
    const following = follow({ since: 0, agent: 'codex' });
    await writer.record([event(1), event(2, { agent: 'codex' }), event(3, { agent: 'codex', late: true })]);
    await writer.record([event(3, { agent: 'codex' })]);
    await following.until(2);
    await writer.record([event(4)]);
    await writer.record([event(99, { agent: 'codex' })]);
    await following.until(3);
    await following.stop();
    expect(following.seen).toEqual([2, 3, 99]);
  });
});
