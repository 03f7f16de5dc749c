import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { event } from './records.ts';
import { type Bench, type OpenedForTest, one } from './suite/bench.ts';
import { hookStats } from './suite/hook-stats.ts';
import { keeping } from './suite/keeping.ts';
import { ownEvents, pushes } from './suite/own-events.ts';
import { reading } from './suite/reading.ts';
import { recording } from './suite/recording.ts';
import { rewriting } from './suite/rewriting.ts';
import { searching } from './suite/searching.ts';
import { sessions } from './suite/sessions.ts';
import { transcripts } from './suite/transcripts.ts';

/** What every engine behind the port must do. */
export function storeSuite(name: string, open: () => Promise<OpenedForTest>): void {
  describe(`a store on ${name}`, () => {
    let opened: OpenedForTest;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.end());
    const bench: Bench = {
      get store() {
        return opened.store;
      },
      setNow: (ms) => opened.setNow(ms),
      async record(...batch) {
        const report = await opened.store.record(batch);
        if (!report.ok) throw new Error(report.error);
        return report;
      },
      session: async (ref = 'ref-1') => one(await opened.store.session(ref)),
    };
    recording(bench);
    sessions(bench);
    reading(bench);
    hookStats(bench);
    searching(bench);
    keeping(bench);
    rewriting(bench);
    ownEvents(bench);
    pushes(bench);
    transcripts(bench);

    it('says so when it is used after it was closed, and closes twice without a word', async () => {
      await bench.store.close();
      await bench.store.close();
      expect(await bench.store.record([event(1)])).toMatchObject({ ok: false, problem: 'closed' });
      await expect(bench.store.events({})).rejects.toThrow(/closed/);
    });
  });
}
