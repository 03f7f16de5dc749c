import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionSummary, Store } from '../src/index.ts';
import { lifeOf, memorySessions } from './memory-sessions.ts';
import { event } from './records.ts';
import { type Bench, type OpenedForTest, one } from './suite/bench.ts';
import { changes } from './suite/changes.ts';
import { hookStats } from './suite/hook-stats.ts';
import { keeping } from './suite/keeping.ts';
import { ledger, observations } from './suite/ledger.ts';
import { pitonEvents, pushes } from './suite/piton-events.ts';
import { reading } from './suite/reading.ts';
import { recording } from './suite/recording.ts';
import { rewriting } from './suite/rewriting.ts';
import { searching } from './suite/searching.ts';
import { sessions } from './suite/sessions.ts';
import { sums } from './suite/sums.ts';
import { transcripts } from './suite/transcripts.ts';

/** What every engine behind the port must do. */
export function storeSuite(name: string, open: () => Promise<OpenedForTest>): void {
  describe(`a store on ${name}`, () => {
    let opened: OpenedForTest;
    let folded: ReturnType<typeof memorySessions>;
    let store: Store;
    beforeEach(async () => {
      opened = await open();
      folded = memorySessions();
      store = alsoFolded(opened.store, folded);
    });
    afterEach(async () => {
      try {
        await sameSessions(opened.store, folded);
      } finally {
        await opened.end();
      }
    });
    const bench: Bench = {
      get store() {
        return store;
      },
      setNow: (ms) => opened.setNow(ms),
      async record(...batch) {
        const report = await store.record(batch);
        if (!report.ok) throw new Error(report.error);
        return report;
      },
      session: async (ref = 'ref-1') => one(await store.session(ref)),
    };
    recording(bench);
    sessions(bench);
    reading(bench);
    hookStats(bench);
    searching(bench);
    keeping(bench);
    rewriting(bench);
    pitonEvents(bench);
    pushes(bench);
    transcripts(bench);
    changes(bench);
    ledger(bench);
    sums(bench);
    observations(bench);

    it('fails if it is used after close, and can be closed twice', async () => {
      await bench.store.close();
      await bench.store.close();
      expect(await bench.store.record([event(1)])).toMatchObject({ ok: false, problem: 'closed' });
      await expect(bench.store.events({})).rejects.toThrow(/closed/);
    });
  });
}

/** Whatever a test of the suite records is folded once more without a database. */
const alsoFolded = (store: Store, folded: ReturnType<typeof memorySessions>): Store => ({
  ...store,
  async record(batch) {
    const report = await store.record(batch);
    folded.record(batch, report);
    return report;
  },
  async observe(observation) {
    const report = await store.observe(observation);
    folded.observe(observation, report);
    return report;
  },
});

async function sameSessions(store: Store, folded: ReturnType<typeof memorySessions>): Promise<void> {
  let list: readonly SessionSummary[];
  try {
    list = await store.sessions({ limit: 100_000 });
  } catch {
    return; // the test has closed it
  }
  const details = await Promise.all(list.map(async ({ id }) => lifeOf(one(await store.session(id)))));
  expect(details.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(folded.lives());
}
