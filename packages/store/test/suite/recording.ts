import { describe, expect, it } from 'vitest';
import { BASE_MS, DENIED, event, OBSERVED, redactor, stampOf } from '../records.ts';
import { type Bench, did, one } from './bench.ts';

export const recording = (bench: Bench) =>
  describe('recording', () => {
    it('returns an event as it was recorded', async () => {
      const given = event(1, {
        event: 'pre_tool_use',
        payload: { tool_input: { command: 'ls' }, deep: [{ a: null }, 'ü ⟦ 🧗'] },
        tool: { command: 'ls -l', files: ['/a b', '/c'], useId: 'toolu_1' },
        text: 'said',
        model: 'm1',
        repo: '/home/me/x',
        branch: 'main',
        problems: redactor.value(['odd']),
        outcome: DENIED,
        monotonicUs: 123456789012345n,
      });
      const report = await bench.record(given);
      expect(report).toMatchObject({ ok: true, rejected: [], events: [{ eventId: stampOf(1), did: 'inserted' }] });
      const back = one(await bench.store.event(stampOf(1)));
      expect(back.envelope).toEqual(given.envelope);
      expect(back.outcome).toEqual(given.outcome);
      expect(back.tool).toEqual(given.tool);
      expect(back).toMatchObject({
        event: 'pre_tool_use',
        names: ['pre_tool_use', 'pre_shell_execution'],
        agent: 'claude',
        text: 'said',
        model: 'm1',
        branch: 'main',
        problems: ['odd'],
        monotonicUs: 123456789012345,
        wallUs: (BASE_MS + 1) * 1000,
        decision: 'deny',
        reason: 'not here',
        redaction: redactor.version,
        late: false,
        expired: false,
      });
      // What merely did not match is in the outcome's trace, not among the runs.
      expect(back.hookRuns.map(({ hook, did: what, why }) => [hook, what, why])).toEqual([
        ['guard', 'ran', null],
        ['new', 'skipped', 'not-trusted'],
        ['slow', 'ran', null],
      ]);
    });

    it('keeps a body of a megabyte, and two equal ones once', async () => {
      const payload = { text: 'All work and no play. '.repeat(50_000) };
      await bench.record(event(1, { payload }), event(2, { payload }));
      expect(one(await bench.store.event(stampOf(2))).envelope?.payload).toEqual(payload);
      expect(await bench.store.stats()).toMatchObject({ events: 2, bodies: 1 });
    });

    it('accepts payloads that are not objects', async () => {
      for (const [n, payload] of [null, 'text', 5, [], false].entries()) {
        const given = event(n + 1);
        await bench.record({ ...given, envelope: redactor.value({ ...given.envelope, payload }) });
        expect(one(await bench.store.event(stampOf(n + 1))).envelope?.payload).toEqual(payload);
      }
    });

    it('changes nothing when the same event comes again', async () => {
      const batch = [
        event(1, { event: 'user_prompt_submit', prompt: 'hello' }),
        event(2, { event: 'pre_tool_use', tool: { command: 'ls' }, outcome: DENIED }),
      ];
      await bench.record(...batch);
      const before = [await bench.store.events({}), await bench.session(), await bench.store.stats()];
      expect(did(await bench.record(...batch, ...batch))).toEqual(['replayed', 'replayed', 'replayed', 'replayed']);
      expect(did(await bench.record(event(2, { prompt: 'another', late: true })))).toEqual(['replayed']);
      expect([await bench.store.events({}), await bench.session(), await bench.store.stats()]).toEqual(before);
    });

    it('keeps the first of two late records of one event', async () => {
      await bench.record(event(1, { late: true, event: 'user_prompt_submit', prompt: 'first' }));
      const report = await bench.record(event(1, { late: true, event: 'user_prompt_submit', prompt: 'second' }));
      expect(report).toMatchObject({ ok: true, rejected: [], events: [{ did: 'replayed' }] });
      expect(one(await bench.store.event(stampOf(1)))).toMatchObject({ late: true, prompt: 'first' });
    });

    it('keeps the one of two late records that has the agent’s answer, in either order', async () => {
      const taken = event(1, { late: true, event: 'pre_tool_use', tool: { command: 'ls' } });
      const answered = event(1, { late: true, event: 'pre_tool_use', tool: { command: 'ls' }, outcome: DENIED });
      expect(did(await bench.record(taken))).toEqual(['inserted']);
      expect(did(await bench.record(answered))).toEqual(['superseded']);
      // The last is what a server had decided that died before it could say so.
      const unsaid = event(1, { event: 'pre_tool_use', tool: { command: 'ls' }, outcome: OBSERVED });
      for (const again of [taken, answered, unsaid]) expect(did(await bench.record(again))).toEqual(['replayed']);
      expect(one(await bench.store.event(stampOf(1)))).toMatchObject({ late: true, decision: 'deny' });
      expect(await bench.session()).toMatchObject({ denials: 1 });
    });

    it('replaces a late record by a live one, never the reverse', async () => {
      await bench.record(event(1, { late: true, event: 'pre_tool_use', tool: { command: 'ls' } }), event(2));
      const late = one(await bench.store.event(stampOf(1)));
      expect(late).toMatchObject({ late: true, outcome: null, decision: null });
      const live = event(1, { event: 'pre_tool_use', tool: { command: 'ls' }, outcome: DENIED });
      expect(did(await bench.record(live))).toEqual(['superseded']);
      const back = one(await bench.store.event(stampOf(1)));
      expect(back).toMatchObject({ late: false, decision: 'deny', seq: late.seq, recordedUs: late.recordedUs, session: late.session });
      expect(back.outcome).toEqual(live.outcome);
      expect(await bench.session()).toMatchObject({ denials: 1, tools: 1, events: 2 });
      expect(did(await bench.record(event(1, { late: true })))).toEqual(['replayed']);
      expect(one(await bench.store.event(stampOf(1))).late).toBe(false);
      expect((await bench.store.stats()).events).toBe(2);
    });

    it('writes the rest of a batch in which one record cannot be written', async () => {
      const broken = event(2);
      const report = await bench.store.record([
        event(1),
        { ...broken, envelope: redactor.value({ ...broken.envelope, payload: { n: 5n } }) },
        event(3),
      ]);
      expect(report).toMatchObject({ ok: true, rejected: [{ eventId: stampOf(2) }] });
      expect((await bench.store.events({})).map(({ eventId }) => eventId)).toEqual([stampOf(3), stampOf(1)]);
    });

    it('adds the runs of hooks after the answer, once', async () => {
      await bench.record(event(1, { event: 'pre_tool_use', outcome: DENIED }));
      const later = redactor.value([
        {
          hook: 'watch',
          scope: 'user',
          event: 'pre_tool_use',
          did: 'ran',
          exitCode: 1,
          durationMs: 3,
          failed: 'exit',
          said: { decision: 'observe' },
          stdout: '',
          stderr: '',
        },
      ] as const);
      for (let time = 0; time < 2; time++) expect(await bench.store.addRuns(stampOf(1), later)).toMatchObject({ ok: true });
      expect(await bench.store.addRuns(stampOf(7), later)).toMatchObject({ ok: true });
      expect(one(await bench.store.event(stampOf(1))).hookRuns.map(({ hook, observed }) => [hook, observed])).toEqual([
        ['guard', false],
        ['new', false],
        ['slow', false],
        ['watch', true],
      ]);
      expect((await bench.store.hookFailures({})).map(({ hook }) => hook)).toEqual(['slow', 'watch']);
    });

    it('keeps a canary, which has no session', async () => {
      await bench.record(event(1, { canary: true }));
      expect(one(await bench.store.event(stampOf(1)))).toMatchObject({ canary: true, session: null });
      expect(await bench.store.sessions({})).toEqual([]);
      expect(await bench.store.events({ canary: false })).toEqual([]);
    });

    it('keeps an event whose agent names no session', async () => {
      await bench.record(event(1, { session: '' }));
      expect(one(await bench.store.event(stampOf(1))).session).toBeNull();
      expect(await bench.store.sessions({})).toEqual([]);
    });
  });
