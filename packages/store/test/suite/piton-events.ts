import type { HookFailed, PitonEvent, SubscriptionEntry } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import type { PitonEventRecord } from '../../src/index.ts';
import { BASE_MS, DENIED, event, redactor, stampOf } from '../records.ts';
import type { Bench } from './bench.ts';

const own = (n: number, more: Partial<HookFailed> = {}): PitonEventRecord => {
  const said: PitonEvent = {
    ...{ event: 'hook-failed', id: stampOf(n), time: new Date(BASE_MS + n * 1000).toISOString(), checkpoint_id: null, commit_sha: null },
    ...{ session_id: 'ref-1', agent: 'claude', branch: 'main', repo: '/home/me/x' },
    ...{ hook: 'user:stop/bell', hook_event: 'stop', failed: 'exit', reason: 'it exited with code 1', event_id: stampOf(900) },
    ...more,
  };
  return { event: redactor.value(said), projectPath: '/home/me/x', redaction: 'r1' };
};
const ran = (hook: string, more: object = {}): SubscriptionEntry => ({
  ...{ hook, scope: 'user', event: 'hook-failed', did: 'ran', exitCode: 0, durationMs: 12, said: { decision: 'observe' } },
  ...{ stdout: '', stderr: '', ...more },
});
const FAILED = { exitCode: 3, failed: 'exit', note: 'it exited with code 3' };

export const pitonEvents = (bench: Bench) =>
  describe('events that Piton emits', () => {
    it('are kept once, listed newest first, and found by a prefix of their id', async () => {
      await bench.store.recordPitonEvents([own(1), own(2, { session_id: 'ref-2', agent: 'codex' })]);
      await bench.store.recordPitonEvents([own(1, { reason: 'again' })]);
      const ids = async (query: object) => (await bench.store.pitonEvents(query)).map((each) => each.event.id);
      expect(await ids({})).toEqual([stampOf(2), stampOf(1)]);
      expect(await ids({ session: 'ref-2' })).toEqual([stampOf(2)]);
      expect(await ids({ agent: 'claude' })).toEqual([stampOf(1)]);
      expect(await ids({ event: 'session-ended' })).toEqual([]);
      expect(await ids({ since: (BASE_MS + 2000) * 1000 })).toEqual([stampOf(2)]);
      expect(await bench.store.pitonEvent(stampOf(1).toLowerCase())).toMatchObject({
        found: 'one',
        value: { event: { reason: 'it exited with code 1' }, projectPath: '/home/me/x', runs: [] },
      });
      expect(await bench.store.pitonEvent('%')).toEqual({ found: 'none' });
    });

    it('are not listed with events of agents', async () => {
      await bench.record(event(1));
      await bench.store.recordPitonEvents([own(5)]);
      expect(await bench.store.events({})).toHaveLength(1);
      expect(await bench.store.stats()).toMatchObject({ events: 1 });
    });

    it('have the runs of their subscriptions, once', async () => {
      await bench.store.recordPitonEvents([own(1)]);
      const trace = redactor.value([ran('user:hook-failed/a'), ran('user:hook-failed/b', FAILED)] as const);
      for (const id of [stampOf(1), stampOf(1), stampOf(77)])
        expect(await bench.store.addSubscriptionRuns(id, trace)).toMatchObject({ ok: true });
      const [found] = await bench.store.pitonEvents({});
      expect(found?.runs).toMatchObject([
        { hook: 'user:hook-failed/a', exitCode: 0, failed: null },
        { hook: 'user:hook-failed/b', exitCode: 3, failed: 'exit' },
      ]);
      expect(await bench.store.stats()).toMatchObject({ hookRuns: 2, hookFailures: 1 });
    });

    it('are listed with the failures of hooks, newest first', async () => {
      await bench.record(event(1, { event: 'pre_tool_use', outcome: DENIED }));
      const before = (await bench.store.hookFailures({})).length;
      await bench.store.recordPitonEvents([own(60)]);
      await bench.store.addSubscriptionRuns(stampOf(60), redactor.value([ran('user:hook-failed/b', FAILED)] as const));
      const failures = await bench.store.hookFailures({});
      expect([before, failures.length]).toEqual([1, 2]);
      expect(failures[0]).toMatchObject({ hook: 'user:hook-failed/b', event: 'hook-failed', eventId: stampOf(60), agent: 'claude' });
      expect(await bench.store.hookFailures({ limit: 1 })).toHaveLength(1);
    });

    it('can be redacted again, with subscription runs and pushes', async () => {
      await bench.store.recordPitonEvents([own(1, { reason: 'xyzzy' })]);
      await bench.store.addSubscriptionRuns(stampOf(1), redactor.value([ran('h', { ...FAILED, note: 'xyzzy' })] as const));
      const url = redactor.text('https://xyzzy@host/x');
      const text = redactor.text('origin');
      await bench.store.recordPush({
        ...{
          id: stampOf(3),
          repo: '/r',
          remote: text,
          url,
          ref: text,
          oldSha: '',
          newSha: 'b',
          commits: ['b'],
          wallUs: 1,
          redaction: 'r1',
        },
      });
      for (const of of ['piton-event', 'push'] as const) {
        const all = await bench.store.bodies({ of, afterSeq: 0, limit: 5 });
        const better = all.map((one) => ({
          ...one,
          redaction: 'r2',
          body: JSON.parse(JSON.stringify(one.body).replaceAll('xyzzy', 'gone')),
        }));
        expect(await bench.store.rewriteBodies(better)).toMatchObject({ ok: true });
        expect(await bench.store.bodies({ of, afterSeq: 0, limit: 5 })).toMatchObject(better);
      }
    });
  });

export const pushes = (bench: Bench) =>
  describe('pushes', () => {
    it('are found by each of their commits, oldest first, and kept once', async () => {
      const text = (value: string) => redactor.text(value);
      const push = (n: number, remote: string, commits: string[]) => ({
        ...{ id: stampOf(n), repo: '/r', remote: text(remote), url: text('ssh://host/x'), ref: text('refs/heads/main') },
        ...{ oldSha: 'a', newSha: 'c', commits, wallUs: n, redaction: 'r1' },
      });
      await bench.store.recordPush(push(2, 'fork', ['c']));
      await bench.store.recordPush(push(1, 'origin', ['b', 'c']));
      await bench.store.recordPush(push(1, 'origin', ['b', 'c']));
      expect((await bench.store.pushesOf('c')).map(({ remote, ref, wallUs }) => [remote, ref, wallUs])).toEqual([
        ['origin', 'refs/heads/main', 1],
        ['fork', 'refs/heads/main', 2],
      ]);
      expect(await bench.store.pushesOf('b')).toHaveLength(1);
      expect(await bench.store.pushesOf('x')).toEqual([]);
    });
  });
