import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/index.ts';
import { BASE_MS, CONTINUED, DENIED, event, OBSERVED, redactor, shuffle, stampOf } from '../records.ts';
import { type Bench, one } from './bench.ts';

export const sessions = (bench: Bench) =>
  describe('sessions', () => {
    it('are listed by what started them, by their ids, and by whether something was denied', async () => {
      await bench.record(
        event(1, { event: 'session_start', session: 'parent', repo: '/r' }),
        event(2, { event: 'session_start', session: 'one', parentRef: 'parent', repo: '/r' }),
        event(3, { event: 'session_start', session: 'two', parentRef: 'parent', repo: '/other' }),
        event(4, { event: 'pre_tool_use', session: 'two', tool: { command: 'rm' }, outcome: DENIED }),
      );
      const refs = async (query: Parameters<Store['sessions']>[0]) =>
        (await bench.store.sessions(query)).map(({ providerRef }) => providerRef);
      const parent = (await bench.session('parent')).id;
      const two = (await bench.session('two')).id;
      expect(await refs({ parent: null })).toEqual(['parent']);
      expect(await refs({ parent })).toEqual(['two', 'one']);
      expect(await refs({ ids: [parent, two] })).toEqual(['two', 'parent']);
      expect(await refs({ denied: true })).toEqual(['two']);
      expect(await bench.store.countChildren([parent, two])).toEqual(new Map([[parent, 2]]));
      expect(await bench.store.sessionPlaces()).toEqual([
        { root: '/other', sessions: 1, lastUs: (BASE_MS + 4) * 1000 },
        { root: '/r', sessions: 2, lastUs: (BASE_MS + 2) * 1000 },
      ]);
    });

    it('know how long hooks ran before each answer', async () => {
      await bench.record(event(1, { event: 'pre_tool_use', tool: {}, outcome: DENIED }), event(2));
      const session = (await bench.session()).id;
      const ran = DENIED.trace.flatMap((entry) => (entry.did === 'ran' && !entry.observed ? [entry.durationMs] : []));
      expect(await bench.store.hookTimes(session)).toEqual([{ wallUs: (BASE_MS + 1) * 1000, ms: ran.reduce((sum, ms) => sum + ms, 0) }]);
      expect(ran.length).toBeGreaterThan(0);
    });

    it('begin with any event, and are identified by the agent and its id', async () => {
      const report = await bench.record(
        event(1, { event: 'pre_tool_use', tool: {} }),
        event(2, { agent: 'codex' }),
        event(3),
        event(4, { session: 'ref-2' }),
      );
      expect(report.ok && report.sessions.map(({ change, agent }) => [change, agent])).toEqual([
        ['started', 'claude'],
        ['started', 'codex'],
        ['started', 'claude'],
      ]);
      expect((await bench.store.sessions({})).map(({ agent, providerRef, events }) => [agent, providerRef, events])).toEqual([
        ['claude', 'ref-2', 1],
        ['claude', 'ref-1', 2],
        ['codex', 'ref-1', 1],
      ]);
    });

    it('repeated prompt events: the reason of a refused stop, come back as a prompt, begins no turn', async () => {
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'go' }),
        event(2, { event: 'stop', outcome: CONTINUED }),
        event(3, { event: 'user_prompt_submit', prompt: 'go on', source: 'continuation' }),
        event(4, { event: 'stop', outcome: OBSERVED }),
        event(5, { event: 'user_prompt_submit', prompt: 'next' }),
      );
      expect(await bench.session()).toMatchObject({ turns: 2, firstPrompt: 'go', source: null });
    });

    it('subagents that look like the main agent: the task of a subagent begins no turn, also when it is sorted in later', async () => {
      const events = [
        event(1, { event: 'user_prompt_submit', prompt: 'go' }),
        event(2, { event: 'pre_tool_use', tool: {} }),
        event(3, { event: 'user_prompt_submit', prompt: 'SUBTASK: list files', agentId: 'a1', source: 'subagent' }),
        event(4, { event: 'pre_tool_use', agentId: 'a1', tool: {} }),
        event(5, { event: 'stop' }),
      ];
      for (const at of [0, 4, 3, 2, 1]) await bench.record(events[at] as (typeof events)[number]);
      expect(await bench.session()).toMatchObject({ turns: 1, tools: 2, phase: 'idle' });
    });

    it('a subagent in a session of its own belongs to the session that called it', async () => {
      await bench.record(
        event(1, { event: 'session_start', session: 'parent' }),
        event(2, { event: 'session_start', session: 'child', parentRef: 'parent' }),
        event(3, { event: 'session_start', session: 'orphan', parentRef: 'nobody' }),
      );
      const found = new Map((await bench.store.sessions({})).map((session) => [session.providerRef, session]));
      expect(found.get('child')?.parentId).toBe(found.get('parent')?.id);
      expect(found.get('parent')?.parentId).toBeNull();
      expect(found.get('orphan')?.parentId).toBeNull();
    });

    it('session ends that come several times: the first one counts', async () => {
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'go' }),
        event(2, { event: 'session_end', source: 'exit' }),
        event(3, { event: 'session_end', source: 'other' }),
      );
      const report = await bench.record(event(4, { event: 'session_end', source: 'logout' }));
      expect(report.ok && report.sessions).toEqual([]);
      expect(await bench.session()).toMatchObject({ phase: 'ended', endReason: 'exit', endedUs: (BASE_MS + 2) * 1000 });
    });

    it('have turns from prompt to stop, with their tools and denials', async () => {
      await bench.record(
        event(1, { event: 'session_start', source: 'startup', model: 'm1', transcriptPath: '/t.jsonl' }),
        event(2, { event: 'user_prompt_submit', prompt: 'first' }),
        event(3, { event: 'pre_tool_use', tool: {} }),
        event(4, { event: 'post_tool_use', tool: {} }),
        event(5, { event: 'pre_tool_use', tool: {}, outcome: DENIED }),
        event(6, { event: 'permission_denied', derived: true, parentId: stampOf(5), tool: {} }),
        event(7, { event: 'stop', outcome: CONTINUED }),
        event(8, { event: 'pre_tool_use', tool: {} }),
        event(9, { event: 'stop', outcome: OBSERVED }),
      );
      await bench.record(
        event(10, { event: 'user_prompt_submit', prompt: 'second' }),
        event(11, { event: 'session_end', source: 'logout' }),
      );
      const found = await bench.session();
      expect(found).toMatchObject({
        phase: 'ended',
        endReason: 'logout',
        source: 'startup',
        model: 'm1',
        transcriptPath: '/t.jsonl',
        turns: 2,
        tools: 3,
        denials: 1,
        events: 11,
        firstPrompt: 'first',
        startedUs: (BASE_MS + 1) * 1000,
        lastUs: (BASE_MS + 11) * 1000,
        endedUs: (BASE_MS + 11) * 1000,
      });
      expect(found.turnList).toEqual([
        {
          id: stampOf(2),
          number: 1,
          prompt: 'first',
          startedUs: (BASE_MS + 2) * 1000,
          endedUs: (BASE_MS + 9) * 1000,
          closed: 'stop',
          tools: 3,
          denials: 1,
          commits: 0,
        },
        {
          id: stampOf(10),
          number: 2,
          prompt: 'second',
          startedUs: (BASE_MS + 10) * 1000,
          endedUs: (BASE_MS + 11) * 1000,
          closed: 'end',
          tools: 0,
          denials: 0,
          commits: 0,
        },
      ]);
    });

    it('are the same in whatever order and batches their events arrive', async () => {
      const names = [
        'session_start',
        'user_prompt_submit',
        'pre_tool_use',
        'post_tool_use',
        'pre_tool_use',
        'stop',
        'pre_compact',
        'user_prompt_submit',
        'pre_tool_use',
      ] as const;
      const more = [
        'user_prompt_submit',
        'stop',
        'session_end',
        'session_start',
        'pre_tool_use',
        'permission_denied',
        'stop_failure',
        'user_prompt_submit',
      ] as const;
      const all = [...names, ...more].map((name, n) => {
        const rebooted = n >= 12 ? { bootId: 'boot-b', monotonicUs: BigInt(n) } : {};
        return { event: name, prompt: `p${n}`, source: name === 'session_end' ? 'exit' : 'resume', ...rebooted } as const;
      });
      for (const seed of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const ref = `shuffled-${seed}`;
        const batch = all.map((given, n) => event(seed * 100 + n + 1, { ...given, session: ref, wallUs: BigInt(BASE_MS + n) * 1000n }));
        const order = seed === 0 ? batch : shuffle([...batch, ...batch.slice(0, 5)], seed);
        for (let at = 0; at < order.length; at += (seed % 4) + 1) await bench.record(...order.slice(at, at + (seed % 4) + 1));
      }
      const shape = async (seed: number) => {
        const { phase, turns, tools, denials, compactions, endReason, events, turnList, startedUs, lastUs } = await bench.session(
          `shuffled-${seed}`,
        );
        return {
          phase,
          turns,
          tools,
          denials,
          compactions,
          endReason,
          events,
          startedUs,
          lastUs,
          turnList: turnList.map(({ id, ...turn }) => turn),
        };
      };
      const expected = await shape(0);
      expect(expected).toMatchObject({ phase: 'active', turns: 5, tools: 4, events: 17 });
      for (const seed of [1, 2, 3, 4, 5, 6, 7]) expect(await shape(seed), `seed ${seed}`).toEqual(expected);
    });

    it('end with an observed crash, and resume with a later event', async () => {
      await bench.record(event(1, { event: 'user_prompt_submit', prompt: 'go' }), event(2, { event: 'pre_tool_use', tool: {} }));
      const { id } = await bench.session();
      const crash = {
        id: stampOf(50),
        session: id,
        kind: 'crash',
        wallUs: BigInt(BASE_MS + 50) * 1000n,
        body: redactor.value({ why: 'process 99 is gone' }),
        redaction: redactor.version,
      } as const;
      expect(await bench.store.observe(crash)).toMatchObject({ ok: true, sessions: [{ session: id, change: 'ended' }] });
      expect(await bench.store.observe(crash)).toMatchObject({ ok: true, sessions: [] });
      expect(await bench.session()).toMatchObject({
        phase: 'ended',
        endReason: 'crash',
        turnList: [{ closed: 'crash' }],
        observations: [{ kind: 'crash', body: { why: 'process 99 is gone' } }],
      });
      const report = await bench.record(event(60, { event: 'session_start', source: 'resume' }));
      expect(report.ok && report.sessions).toMatchObject([
        { session: id, agent: 'claude', change: 'resumed', ref: 'ref-1', source: 'resume' },
      ]);
      // Something from before the crash, found in the journal afterwards, makes the session be counted again.
      await bench.record(event(0, { event: 'user_prompt_submit', prompt: 'even before' }));
      expect(await bench.session()).toMatchObject({
        phase: 'idle',
        turns: 2,
        turnList: [
          { prompt: 'even before', closed: 'prompt' },
          { prompt: 'go', closed: 'crash' },
        ],
      });
    });

    it('are not found for an observation that names none', async () => {
      expect(
        await bench.store.observe({
          id: stampOf(1),
          session: 'nobody',
          kind: 'note',
          wallUs: 0n,
          body: redactor.value({}),
          redaction: redactor.version,
        }),
      ).toMatchObject({ ok: false, problem: 'missing' });
    });

    it('that a hook started are marked, and do not change the outer one', async () => {
      await bench.record(event(1, { event: 'user_prompt_submit', prompt: 'outer' }));
      await bench.record(
        event(2, { event: 'user_prompt_submit', prompt: 'inner', session: 'child', depth: 1, parentId: stampOf(1), run: 'r1' }),
        event(3, { event: 'stop', session: 'ref-1', depth: 1, parentId: stampOf(1), run: 'r1' }),
      );
      expect(await bench.session('child')).toMatchObject({ depth: 1, parentId: stampOf(1), phase: 'active' });
      expect(await bench.session()).toMatchObject({ depth: 0, phase: 'active', events: 2 });
    });

    it('are found by a unique prefix of their id or of the agent’s id', async () => {
      await bench.record(
        event(1, { session: 'abc-1' }),
        event(2, { session: 'abc-2' }),
        event(3, { session: 'x_y%' }),
        event(4, { session: 'xay1' }),
      );
      expect(one(await bench.store.session('abc-2')).id).toBe(stampOf(2));
      expect(one(await bench.store.session(stampOf(2).toLowerCase())).providerRef).toBe('abc-2');
      expect(await bench.store.session('abc')).toMatchObject({ found: 'many', ids: [stampOf(1), stampOf(2)] });
      expect(one(await bench.store.session('x_y')).providerRef).toBe('x_y%');
      expect(await bench.store.session('nobody')).toEqual({ found: 'none' });
      expect(await bench.store.session('')).toEqual({ found: 'none' });
    });

    it('are listed by agent, phase, time and place', async () => {
      await bench.record(
        event(1, { session: 'a', cwd: '/w/one' }),
        event(2, { session: 'b', cwd: '/w/one/deep', agent: 'codex' }),
        event(3, { session: 'c', cwd: '/w/oneself', event: 'session_end' }),
      );
      const refs = async (query: Parameters<Store['sessions']>[0]) =>
        (await bench.store.sessions(query)).map(({ providerRef }) => providerRef);
      expect(await refs({ path: '/w/one' })).toEqual(['b', 'a']);
      expect(await refs({ path: '/w/one/' })).toEqual(['b']);
      expect(await refs({ agent: 'codex' })).toEqual(['b']);
      expect(await refs({ phase: 'ended' })).toEqual(['c']);
      expect(await refs({ since: (BASE_MS + 2) * 1000 })).toEqual(['c', 'b']);
      expect(await refs({ limit: 1 })).toEqual(['c']);
    });
  });
