import { OBSERVE, type Outcome, type RunFailure } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { BASE_MS, event, redactor, stampOf } from '../records.ts';
import type { Bench } from './bench.ts';

const ran = (hook: string, durationMs: number, failed?: RunFailure, note = 'it broke'): Outcome['trace'][number] => ({
  hook,
  scope: 'user',
  event: 'pre_tool_use',
  did: 'ran',
  exitCode: failed ? 7 : 0,
  durationMs,
  ...(failed && { failed, note }),
  said: { decision: 'observe' },
  stdout: '',
  stderr: '',
});
const outcome = (...trace: Outcome['trace']): Outcome => ({ decision: OBSERVE, trace, delivered: [] });
const own = (hook: string) => ({ hook, root: null });

export const hookStats = (bench: Bench) =>
  describe('statistics of hooks', () => {
    it('is counted for each, with the latest run, the latest failure and its note', async () => {
      await bench.record(
        event(1, { outcome: outcome(ran('a', 5, 'exit', 'first'), ran('b', 1)) }),
        event(2, { outcome: outcome(ran('a', 5, 'exit', 'second')) }),
        event(3, { outcome: outcome(ran('a', 5)) }),
      );
      const [a, b] = await bench.store.hookStats({ hooks: [own('a'), own('b')] });
      expect(a).toMatchObject({
        hook: 'a',
        runs: 3,
        failures: 2,
        lastRunUs: (BASE_MS + 3) * 1000,
        lastFailure: { eventId: stampOf(2), failed: 'exit', exitCode: 7, note: 'second', wallUs: (BASE_MS + 2) * 1000 },
      });
      expect(b).toMatchObject({ hook: 'b', runs: 1, failures: 0, lastRunUs: (BASE_MS + 1) * 1000, lastFailure: null });
    });

    it('has nothing about a hook that never ran: a skip is not a run', async () => {
      await bench.record(
        event(1, { outcome: outcome({ hook: 'a', scope: 'user', event: 'pre_tool_use', did: 'skipped', why: 'not-trusted' }) }),
      );
      expect(await bench.store.hookStats({ hooks: [own('a')] })).toEqual([
        { hook: 'a', root: null, runs: 0, failures: 0, lastRunUs: null, lastFailure: null, p50Ms: null, p95Ms: null },
      ]);
    });

    it('takes the p95 of the latest runs, not of all', async () => {
      await bench.record(...Array.from({ length: 100 }, (_, n) => event(n + 1, { outcome: outcome(ran('a', n < 50 ? 9000 : n - 49)) })));
      const p95 = async (last: number) => (await bench.store.hookStats({ hooks: [own('a')], last }))[0]?.p95Ms;
      expect(await p95(20)).toBe(49); // of 31…50 the nineteenth
      expect(await p95(100)).toBe(9000);
      expect(await p95(1)).toBe(50);
    });

    it('has the median beside the p95', async () => {
      await bench.record(...Array.from({ length: 9 }, (_, n) => event(n + 1, { outcome: outcome(ran('a', (n + 1) * 10)) })));
      expect(await bench.store.hookStats({ hooks: [own('a')] })).toMatchObject([{ p50Ms: 50, p95Ms: 90 }]);
    });

    it('counts what a hook returned, of its latest runs if that is asked, and gives these runs in parts, newest first', async () => {
      const denied = { ...ran('a', 1), said: { decision: 'deny', reason: 'no' } } as Outcome['trace'][number];
      await bench.record(
        ...Array.from({ length: 20 }, (_, n) =>
          event(n + 1, { outcome: outcome(n % 5 === 0 ? denied : ran('a', 1, n === 19 ? 'exit' : undefined)) }),
        ),
        event(21, { outcome: outcome(ran('b', 1)) }),
      );
      expect(await bench.store.hookDecisions(own('a'))).toEqual({ deny: 4, observe: 16 });
      expect(await bench.store.hookDecisions({ ...own('a'), latest: 5 })).toEqual({ deny: 1, observe: 4 });
      expect(await bench.store.hookDecisions({ ...own('a'), since: (BASE_MS + 17) * 1000 })).toEqual({ observe: 4 });
      const ids = async (query: object): Promise<string[]> =>
        (await bench.store.hookRuns({ ...own('a'), ...query })).map(({ eventId }) => eventId);
      const stamps = (...numbers: number[]): string[] => numbers.map((n) => stampOf(n));
      expect(await ids({ said: 'deny', page: { skip: 0, limit: 3 } })).toEqual(stamps(16, 11, 6));
      expect(await ids({ said: 'deny', page: { skip: 3, limit: 3 } })).toEqual(stamps(1));
      expect(await ids({ said: 'deny', latest: 5, page: { skip: 0, limit: 3 } })).toEqual(stamps(16));
      expect(await ids({ failed: true })).toEqual(stamps(20));
      expect(await ids({ latest: 2 })).toEqual(stamps(19, 20));
    });

    it('counts runs after the answer as well', async () => {
      await bench.record(event(1));
      await bench.store.addRuns(stampOf(1), redactor.value([ran('a', 3, 'timeout')]));
      expect(await bench.store.hookStats({ hooks: [own('a')] })).toMatchObject([{ runs: 1, failures: 1, lastFailure: { observed: true } }]);
    });

    it('lists the runs of one hook in order, with their events and decisions', async () => {
      await bench.record(event(1, { outcome: outcome(ran('a', 1), ran('b', 1)) }), event(2), event(3, { outcome: outcome(ran('a', 2)) }));
      const would = { ...ran('a', 4), said: { decision: 'deny', reason: 'not on a Friday' } } as const;
      await bench.store.addRuns(stampOf(2), redactor.value([would]));
      const runs = await bench.store.hookRuns(own('a'));
      expect(runs.map(({ eventId, said, observed, note }) => [eventId, said, observed, note])).toEqual([
        [stampOf(1), 'observe', false, null],
        [stampOf(2), 'deny', true, 'not on a Friday'],
        [stampOf(3), 'observe', false, null],
      ]);
      const since = (BASE_MS + 2) * 1000;
      expect((await bench.store.hookRuns({ ...own('a'), since })).map(({ eventId }) => eventId)).toEqual([stampOf(2), stampOf(3)]);
    });

    it("keeps projects separate, and counts a session's runs in other directories", async () => {
      await bench.record(
        event(1, { session: 's1', cwd: '/home/me/x', outcome: outcome(ran('project:h', 1)) }),
        event(2, { session: 's1', cwd: '/tmp', outcome: outcome(ran('project:h', 1)) }),
        event(3, { session: 's2', cwd: '/home/me/xylophone', outcome: outcome(ran('project:h', 1)) }),
        event(4, { session: 's3', cwd: '/home/me/x/deep', outcome: outcome(ran('project:h', 1, 'exit')) }),
      );
      const roots = ['/home/me/x', '/home/me/xylophone', '/home/me/%'];
      const stats = await bench.store.hookStats({ hooks: roots.map((root) => ({ hook: 'project:h', root })) });
      expect(stats.map(({ runs, failures }) => [runs, failures])).toEqual([
        [3, 1],
        [1, 0],
        [0, 0],
      ]);
    });
  });
