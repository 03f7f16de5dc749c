import { describe, expect, it } from 'vitest';
import type { KeptEntry, SearchQuery } from '../../src/index.ts';
import { BASE_MS, event, redactor, stampOf } from '../records.ts';
import type { Bench } from './bench.ts';
import { FACTS, factEvent, wrongAnswers } from './search-facts.ts';

const NO_FACTS = { at: null, cut: 0, model: null, name: null, useId: null, failed: null, tokens: null };
const DAY_MS = 86_400_000;

export const searching = (bench: Bench) =>
  describe('searching', () => {
    const found = async (text: string) => (await bench.store.search(text)).map(({ event: hit }) => hit?.eventId).sort();

    it('finds prompts, commands and paths once they are indexed, in batches', async () => {
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'Refactor the parser, bitte schön' }),
        event(2, { event: 'pre_tool_use', tool: { command: 'npm run build -- --watch' } }),
        event(3, { event: 'pre_tool_use', tool: { kind: 'edit', files: ['/home/me/x/src/parser.ts'] } }),
        event(4),
      );
      expect(await found('parser')).toEqual([]);
      expect(await bench.store.indexPending(3)).toEqual({ indexed: 3, left: 1 });
      expect(await bench.store.indexPending(3)).toEqual({ indexed: 1, left: 0 });
      expect(await bench.store.indexPending(3)).toEqual({ indexed: 0, left: 0 });
      expect(await found('parser')).toEqual([stampOf(1), stampOf(3)]);
      expect(await found('src/parser.ts')).toEqual([stampOf(3)]);
      expect(await found('REFACT schon')).toEqual([stampOf(1)]);
      expect(await found('build --watch')).toEqual([stampOf(2)]);
      expect((await bench.store.search('npm'))[0]).toMatchObject({ place: 'command', excerpt: '⟦npm⟧ run build -- --watch' });
    });

    it('takes a word that is everywhere as it stands, and finds what only begins with it where that is too little', async () => {
      const many = Array.from({ length: 5000 }, (_, n) => event(n + 1, { event: 'pre_tool_use', tool: { command: `zebra ${n % 7}` } }));
      await bench.record(
        ...many,
        event(5001, { event: 'pre_tool_use', tool: { command: 'zebras at the river' } }),
        event(5002, { event: 'pre_tool_use', tool: { command: 'zebra at the well' } }),
      );
      while ((await bench.store.indexPending(5000)).left > 0);
      const texts = async (text: string, query = {}) =>
        (await bench.store.search(text, query)).map(({ excerpt: said }) => said.replace(/[⟦⟧]/g, ''));
      expect(await texts('zebra', { limit: 3 })).not.toContain('zebras at the river');
      expect(await texts('zebra river')).toEqual(['zebras at the river']);
      expect((await texts('zebra the')).sort()).toEqual(['zebra at the well', 'zebras at the river']);
      // What has the word itself goes first, though the other is no older.
      expect((await texts('zebra the'))[0]).toBe('zebra at the well');
      expect((await texts('zebra', { newest: true, limit: 2 })).sort()).toEqual(['zebra at the well', 'zebras at the river']);
    });

    it('finds what a filter leaves, however many that are, of words that are everywhere and of rare ones', async () => {
      await bench.record(...FACTS.map(factEvent));
      while ((await bench.store.indexPending(5000)).left > 0);
      expect(await wrongAnswers((text, query) => bench.store.search(text, query))).toEqual([]);
    });

    it.each([
      '"',
      '""',
      "'",
      'a"b',
      'AND',
      'OR NOT',
      'NEAR(a b)',
      'prompt:x',
      '*',
      '^a',
      '-',
      '(',
      'a AND (',
      '\0',
      'x\0y',
      '   ',
      '🧗',
      '{a b}: c',
      '+ -- /*',
      'a*b*',
    ])('takes any text for words: %j', async (text) => {
      await bench.record(event(1, { event: 'user_prompt_submit', prompt: `before ${text} after` }));
      await bench.store.indexPending(10);
      const hits = await bench.store.search(text);
      if (/[\p{L}\p{N}]/u.test(text)) expect(hits).toHaveLength(1);
      else expect(hits).toEqual([]);
    });

    it('finds the text of a live record that replaced a late one', async () => {
      await bench.record(event(1, { late: true, event: 'user_prompt_submit', prompt: 'oldword' }));
      await bench.store.indexPending(10);
      await bench.record(event(1, { event: 'user_prompt_submit', prompt: 'newword' }));
      expect((await bench.store.stats()).unindexed).toBe(1);
      await bench.store.indexPending(10);
      expect(await found('oldword')).toEqual([]);
      expect(await found('newword')).toEqual([stampOf(1)]);
      expect((await bench.store.stats()).unindexed).toBe(0);
    });

    const answered = async (...entries: (Partial<KeptEntry> & { readonly key: string; readonly text: string })[]) => {
      const { id: session } = await bench.session();
      await bench.store.addTranscript({
        session,
        path: redactor.text('/home/me/t.jsonl'),
        agentId: null,
        format: 'some-lines',
        mark: { file: '1:2', size: 10, modifiedMs: 5, consumed: 10, tail: 'abc', reader: 1, memory: '' },
        entries: entries.map(({ key, ...entry }) => ({
          key: Buffer.from(key.padEnd(16)),
          entry: redactor.value({ ...NO_FACTS, kind: 'answer' as const, ...entry }),
        })),
        notes: redactor.value([]),
        redaction: redactor.version,
      });
      return session;
    };
    const indexAll = async () => {
      while ((await bench.store.indexPending(2)).left > 0);
    };

    it('finds what an agent answered or reported: in its events, and in the transcript', async () => {
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'go' }),
        event(2, { event: 'post_tool_use_failure', tool: { command: 'make' }, text: 'Exit code 2: undefined reference to kletterwand' }),
        event(3, { event: 'stop', text: 'The \u001b[1mrope\u001b[22m is long enough now.' }),
      );
      const session = await answered(
        { key: 'a', text: `First I looked for the carabiner. ${'Then on. '.repeat(200)}`, at: '2026-01-05T12:00:00Z' },
        { key: 'b', text: 'The rope is long enough now.' },
        { key: 'c', kind: 'tool-call', text: '{"secret":"belay"}' },
      );
      await indexAll();
      expect(await bench.store.search('kletterw')).toMatchObject([
        { event: { eventId: stampOf(2) }, place: 'text', excerpt: 'Exit code 2: undefined reference to ⟦kletterw⟧and' },
      ]);
      const [carabiner, ...others] = await bench.store.search('carabiner');
      expect(others).toEqual([]);
      expect(carabiner).toMatchObject({ event: null, place: 'answer', session, wallUs: Date.UTC(2026, 0, 5, 12) * 1000 });
      expect(carabiner?.excerpt).toMatch(/^First I looked for the ⟦carabiner⟧\. Then on\./);
      // What was said once is found once, and under the id that can be shown.
      expect(await bench.store.search('rope')).toMatchObject([{ event: { eventId: stampOf(3) }, place: 'answer' }]);
      expect(await bench.store.search('belay')).toEqual([]);
    });

    it('does not find what was replaced, expired or redacted later', async () => {
      await bench.record(event(1, { event: 'stop', text: 'about quartz' }));
      await answered({ key: 'a', text: `about granite ${'x '.repeat(200)}` });
      await indexAll();
      await answered({ key: 'a', text: `about basalt ${'x '.repeat(200)}` });
      await indexAll();
      expect(await bench.store.search('granite')).toEqual([]);
      expect(await bench.store.search('basalt')).toHaveLength(1);
      expect(await bench.store.search('quartz')).toHaveLength(1);
      await bench.store.expire({ now: Date.now() + 90 * DAY_MS, days: 30, maxBytes: 1e12 });
      await indexAll();
      expect(await bench.store.search('basalt')).toEqual([]);
      expect(await bench.store.search('quartz')).toEqual([]);
    });

    it('narrows the search by session, agent, place, branch, time and file', async () => {
      await bench.record(
        event(1, { event: 'user_prompt_submit', prompt: 'rope', session: 'one', repo: '/code/a', cwd: '/code/a/x', branch: 'main' }),
        event(2, { event: 'user_prompt_submit', prompt: 'rope', session: 'two', agent: 'codex', cwd: '/code/b' }),
        event(3, { event: 'pre_tool_use', tool: { command: 'rope', files: ['/code/b/src/knot.ts'] }, session: 'two', agent: 'codex' }),
        event(4, { event: 'pre_tool_use', tool: { command: 'rope' }, derived: true, session: 'one' }),
        event(5, { event: 'pre_tool_use', tool: { command: 'rope' }, canary: true }),
        // Sessions begin in one directory and go to another.
        event(6, { event: 'pre_tool_use', tool: { command: 'rope ladder' }, session: 'two', agent: 'codex', cwd: '/elsewhere/c' }),
      );
      await indexAll();
      const numbers = async (query: SearchQuery) =>
        (await bench.store.search('rope', query))
          .map(({ event: hit }) => [1, 2, 3, 4, 5, 6].find((n) => stampOf(n) === hit?.eventId))
          .sort();
      expect(await numbers({})).toEqual([1, 2, 3, 6]);
      expect(await numbers({ session: 'one' })).toEqual([1]);
      expect(await numbers({ session: 'nobody' })).toEqual([]);
      expect(await numbers({ exceptSession: (await bench.session('two')).id })).toEqual([1]);
      expect(await numbers({ agent: 'codex' })).toEqual([2, 3, 6]);
      expect(await numbers({ path: '/code/a' })).toEqual([1]);
      expect(await numbers({ path: '/code' })).toEqual([1, 2]);
      expect(await numbers({ path: '/cod' })).toEqual([]);
      expect(await numbers({ path: '/elsewhere' })).toEqual([6]);
      expect(await numbers({ path: '/elsewhere/c/' })).toEqual([6]);
      expect(await numbers({ path: '/' })).toEqual([1, 2, 3, 6]);
      expect(await numbers({ branch: 'main' })).toEqual([1]);
      expect(await numbers({ branch: 'other' })).toEqual([]);
      expect(await numbers({ since: (BASE_MS + 2) * 1000 })).toEqual([2, 3, 6]);
      expect(await numbers({ file: 'src/knot.ts' })).toEqual([3]);
      expect(await numbers({ file: 'src/k%' })).toEqual([]);
      for (const part of ['knot', 'not.ts', 'rc/kno', '/src/knot.ts', 'code/b/src/kn', '.ts', '/'])
        expect(await numbers({ file: part })).toEqual([3]);
      for (const part of ['src/not', 'code src', 'b/knot', 'src/knot.tsx']) expect(await numbers({ file: part })).toEqual([]);
      expect((await bench.store.search('rope', { newest: true, limit: 2 })).map(({ event: hit }) => hit?.eventId)).toEqual(
        [6, 3].map(stampOf),
      );
    });
  });
