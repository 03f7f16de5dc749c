import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/index.ts';
import { BASE_MS, DENIED, event, OBSERVED, stampOf } from '../records.ts';
import { type Bench, one } from './bench.ts';

export const reading = (bench: Bench) =>
  describe('reading', () => {
    it('lists events newest first, page by page, and follows oldest first', async () => {
      await bench.record(...Array.from({ length: 7 }, (_, n) => event(n + 1)));
      const first = await bench.store.events({ limit: 3 });
      expect(first.map(({ eventId }) => eventId)).toEqual([7, 6, 5].map(stampOf));
      const next = await bench.store.events({ limit: 3, before: first.at(-1)?.seq as number });
      expect(next.map(({ eventId }) => eventId)).toEqual([4, 3, 2].map(stampOf));
      const after = await bench.store.events({ afterSeq: next[0]?.seq as number });
      expect(after.map(({ eventId }) => eventId)).toEqual([5, 6, 7].map(stampOf));
    });

    it('lists events by session, agent, any of their names, time and text', async () => {
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'Fix the 100% bug' }),
        event(2, { event: 'pre_tool_use', tool: { command: 'grep -n foo_bar src' } }),
        event(3, { agent: 'codex', session: 'other', text: 'done with foo-bar' }),
      );
      await bench.store.indexPending(10);
      const numbers = async (query: Parameters<Store['events']>[0]) =>
        (await bench.store.events(query)).map(({ eventId }) => [1, 2, 3].find((n) => stampOf(n) === eventId));
      expect(await numbers({ session: 'ref-1' })).toEqual([2, 1]);
      expect(await numbers({ session: 'nobody' })).toEqual([]);
      expect(await numbers({ agent: 'codex' })).toEqual([3]);
      expect(await numbers({ event: 'pre_shell_execution' })).toEqual([2]);
      expect(await numbers({ event: 'pre_tool_use' })).toEqual([2]);
      expect(await numbers({ since: (BASE_MS + 2) * 1000 })).toEqual([3, 2]);
      expect(await numbers({ text: '100%' })).toEqual([1]);
      expect(await numbers({ text: 'grep foo_bar' })).toEqual([2]);
      expect(await numbers({ text: '%' })).toEqual([]);
      expect(await numbers({ text: 'FOO', session: 'other' })).toEqual([3]);
    });

    it('lists what was denied, what happened in a place, and leaves out what Piton derived', async () => {
      await bench.record(
        event(1, { event: 'pre_tool_use', tool: { command: 'rm x' }, outcome: DENIED, repo: '/code/a', cwd: '/code/a/src' }),
        event(2, { event: 'permission_denied', derived: true, parentId: stampOf(1), repo: '/code/a' }),
        event(3, { session: 'ref-2', cwd: '/code/ab', outcome: OBSERVED }),
        event(4, { session: 'ref-2', cwd: '/code/100%/b' }),
        event(5, { session: 'ref-3', cwd: '/code/100%/b' }),
      );
      const numbers = async (query: Parameters<Store['events']>[0]) =>
        (await bench.store.events(query)).map(({ eventId }) => [1, 2, 3, 4, 5].find((n) => stampOf(n) === eventId));
      expect(await numbers({ denied: true })).toEqual([1]);
      expect(await numbers({ denied: true, agent: 'codex' })).toEqual([]);
      expect(await numbers({ derived: false })).toEqual([5, 4, 3, 1]);
      expect(await numbers({ path: '/code/a' })).toEqual([2, 1]);
      expect(await numbers({ path: '/code/a/' })).toEqual([2, 1]);
      expect(await numbers({ path: '/code/100%' })).toEqual([5]);
      expect(await numbers({ path: '/code/1009' })).toEqual([]);
      expect(await numbers({ path: '/' })).toEqual([5, 4, 3, 2, 1]);
      expect(await numbers({ since: (BASE_MS + 60_000) * 1000 })).toEqual([]);
    });

    it('names the hooks that decided', async () => {
      await bench.record(event(1, { event: 'pre_tool_use', outcome: DENIED }), event(2, { outcome: OBSERVED }));
      expect((await bench.store.events({})).map(({ decidedBy }) => decidedBy)).toEqual([[], ['guard']]);
    });

    it('counts what matches, up to a limit', async () => {
      await bench.record(...Array.from({ length: 7 }, (_, n) => event(n + 1, n < 2 ? { event: 'pre_tool_use', outcome: DENIED } : {})));
      expect(await bench.store.countEvents({}, 100)).toBe(7);
      expect(await bench.store.countEvents({}, 5)).toBe(5);
      expect(await bench.store.countEvents({ denied: true }, 100)).toBe(2);
      expect(await bench.store.countEvents({ session: 'nobody' }, 100)).toBe(0);
      expect(await bench.store.countSessions({})).toBe(1);
      expect(await bench.store.countSessions({ agent: 'codex' })).toBe(0);
    });

    it('shortens ids to what no other one begins with', async () => {
      await bench.record(event(1), event(2), event(40_000), event(90_000_000, { session: 'ref-2' }));
      const ids = [1, 2, 40_000, 90_000_000].map(stampOf);
      const short = await bench.store.shortIds('event', ids);
      for (const [at, id] of ids.entries()) {
        const mine = short[at] as string;
        expect(id.startsWith(mine)).toBe(true);
        expect(ids.filter((each) => each.startsWith(mine))).toEqual([id]);
        if (mine.length > 8) expect(ids.filter((each) => each.startsWith(mine.slice(0, -1))).length).toBeGreaterThan(1);
      }
      expect(short[3]).toHaveLength(8);
      const sessions = (await bench.store.sessions({})).map(({ id }) => id);
      const shortSessions = await bench.store.shortIds('session', sessions);
      expect(await Promise.all(shortSessions.map(async (each) => one(await bench.store.session(each)).id))).toEqual(sessions);
    });

    it('finds an event by a unique prefix of its id', async () => {
      await bench.record(event(1), event(2));
      expect(one(await bench.store.event(stampOf(1).slice(0, 12).toLowerCase() + stampOf(1).slice(12))).eventId).toBe(stampOf(1));
      expect(await bench.store.event(stampOf(1).slice(0, 5))).toMatchObject({ found: 'many', ids: [stampOf(1), stampOf(2)] });
      for (const ref of ['', 'ZZ', "' OR 1=1 --", '%']) expect(await bench.store.event(ref)).toEqual({ found: 'none' });
    });

    it('lists failed hooks, newest first', async () => {
      await bench.record(
        event(1, { event: 'pre_tool_use', outcome: DENIED }),
        event(2, { event: 'pre_tool_use', outcome: DENIED }),
        event(3, { outcome: OBSERVED }),
      );
      const failures = await bench.store.hookFailures({});
      expect(failures.map(({ hook, failed, timedOut, eventId }) => [hook, failed, timedOut, eventId])).toEqual([
        ['slow', 'timeout', 'hook', stampOf(2)],
        ['slow', 'timeout', 'hook', stampOf(1)],
      ]);
      expect(await bench.store.hookFailures({ since: (BASE_MS + 2) * 1000 })).toHaveLength(1);
      expect(await bench.store.hookFailures({ limit: 1 })).toHaveLength(1);
    });

    it('counts what it has', async () => {
      expect(await bench.store.stats()).toMatchObject({ events: 0, sessions: 0, oldestUs: null, newestUs: null, unindexed: 0, lastSeq: 0 });
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'x' }),
        event(2, { late: true }),
        event(3, { event: 'pre_tool_use', outcome: DENIED }),
      );
      const stats = await bench.store.stats();
      expect(stats).toMatchObject({
        events: 3,
        lateEvents: 1,
        sessions: 1,
        openSessions: 1,
        turns: 1,
        hookRuns: 3,
        hookFailures: 1,
        unindexed: 3,
      });
      expect(stats).toMatchObject({ oldestUs: (BASE_MS + 1) * 1000, newestUs: (BASE_MS + 3) * 1000 });
      expect(stats.bytes).toBeGreaterThan(0);
    });
  });
