import { NO_TOKENS } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import type { KeptEntry, StoredBody, TranscriptReading } from '../../src/index.ts';
import { BASE_MS, event, redactor } from '../records.ts';
import type { Bench } from './bench.ts';

const DAY = 86_400_000;
const NOTHING: KeptEntry = {
  kind: 'prompt',
  at: null,
  text: null,
  cut: 0,
  model: null,
  name: null,
  useId: null,
  failed: null,
  tokens: null,
};

const one = (key: string, entry: Partial<KeptEntry>) => ({
  key: Buffer.from(key.padEnd(16)),
  entry: redactor.value({ ...NOTHING, ...entry }),
});
const usage = (key: string, output: number) => one(key, { kind: 'usage', model: 'm', tokens: { ...NO_TOKENS, input: 1, output } });

export const transcripts = (bench: Bench) =>
  describe('transcripts', () => {
    async function read(entries: TranscriptReading['entries'], more: Partial<TranscriptReading> = {}): Promise<string> {
      await bench.record(event(1, { event: 'session_start' }));
      const session = (await bench.session()).id;
      const report = await bench.store.addTranscript({
        session,
        path: redactor.text('/home/me/t.jsonl'),
        agentId: null,
        format: 'some-lines',
        mark: { file: '1:2', size: 10, modifiedMs: 5.5, consumed: 10, tail: 'abc', reader: 1, memory: '' },
        entries,
        notes: redactor.value([]),
        redaction: redactor.version,
        ...more,
      });
      expect(report).toMatchObject({ ok: true });
      return session;
    }
    const long = (word: string): string => `${word} `.repeat(500);

    it('adds tokens up by model, size and quarter of an hour, before they are kept as after', async () => {
      const request = (key: string, input: number, more: Partial<KeptEntry> = {}) =>
        one(key, { kind: 'usage', model: 'm', tokens: { ...NO_TOKENS, input, cacheRead: 1, output: 2 }, ...more });
      const session = await read([
        request('a', 10, { at: '2026-01-05T12:00:00Z' }),
        request('b', 20, { at: '2026-01-05T12:14:59.999Z' }),
        request('c', 30, { at: '2026-01-05T12:15:00Z' }),
        request('d', 200_000, { at: '2026-01-05T12:16:00Z' }),
        request('e', 40, { model: null, at: 'soon' }),
      ]);
      const added = async () =>
        (await bench.store.usageSums([session]))
          .map(({ fromUs, model, size, requests, tokens }) => [
            fromUs / 1000 - BASE_MS,
            model,
            size,
            requests,
            tokens.input,
            tokens.cacheRead,
            tokens.output,
          ])
          .sort();
      const expected = [
        [0, 'm', 0, 2, 30, 2, 4],
        [0, null, 0, 1, 40, 1, 2],
        [900_000, 'm', 0, 1, 30, 1, 2],
        [900_000, 'm', 200_001, 1, 200_000, 1, 2],
      ].sort();
      expect(await added()).toEqual(expected);
      while ((await bench.store.refreshSums(1)) > 0);
      expect(await added()).toEqual(expected);
      expect((await bench.store.sums({ sinceUs: 0 })).usage).toHaveLength(4);
      await read([request('a', 11, { at: '2026-01-05T12:00:00Z' })]);
      expect((await added()).find(([, , , requests]) => requests === 2)).toEqual([0, 'm', 0, 2, 31, 2, 4]);
    });

    it('returns entries in order, and how far they were read', async () => {
      const session = await read([
        one('a', { text: 'climb', at: '2026-01-05T12:00:00Z' }),
        one('b', { kind: 'tool-call', name: 'Bash', useId: 'u1', text: long('{"x":1}') }),
        one('c', { kind: 'tool-result', useId: 'u1', failed: true }),
        usage('d', 7),
      ]);
      await read([one('e', { kind: 'answer', text: 'done', model: 'm' })], {
        mark: { file: '1:2', size: 20, modifiedMs: 6, consumed: 20, tail: 'def', reader: 1, memory: '' },
        notes: redactor.value(['a line was left out']),
      });
      const [transcript, ...others] = await bench.store.transcripts(session);
      expect(others).toEqual([]);
      expect(transcript).toMatchObject({
        path: '/home/me/t.jsonl',
        format: 'some-lines',
        entries: 5,
        notes: ['a line was left out'],
        mark: { file: '1:2', size: 20, modifiedMs: 6, consumed: 20, tail: 'def', reader: 1, memory: '' },
        expired: false,
      });
      expect(transcript?.list).toEqual([
        { ...NOTHING, text: 'climb', at: '2026-01-05T12:00:00Z' },
        { ...NOTHING, kind: 'tool-call', name: 'Bash', useId: 'u1', text: long('{"x":1}') },
        { ...NOTHING, kind: 'tool-result', useId: 'u1', failed: true },
        { ...NOTHING, kind: 'usage', model: 'm', tokens: { ...NO_TOKENS, input: 1, output: 7 } },
        { ...NOTHING, kind: 'answer', text: 'done', model: 'm' },
      ]);
    });

    it('replaces an entry that comes again', async () => {
      await read([one('a', { text: long('first') }), usage('u', 1)]);
      const session = await read([usage('u', 9), one('a', { text: long('second') })]);
      const [transcript] = await bench.store.transcripts(session);
      expect(transcript?.list.map(({ text, tokens }) => text ?? tokens?.output)).toEqual([long('second'), 9]);
    });

    it('stores a repeated text once', async () => {
      const noise = Array.from({ length: 4000 }, (_, at) => ((at * 2654435761) >>> 0).toString(36)).join('');
      const size = async (): Promise<number> => (await bench.store.stats()).bytes;
      await read([one('a', { text: noise })]);
      const once = await size();
      const more = await read(Array.from({ length: 20 }, (_, at) => one(`more-${at}`, { text: noise })));
      expect((await size()) - once).toBeLessThan(noise.length);
      const [transcript] = await bench.store.transcripts(more);
      expect(transcript?.list.map(({ text }) => text)).toEqual(Array(21).fill(noise));
    });

    it('drops texts that are too old, and keeps tools and tokens', async () => {
      bench.setNow(BASE_MS);
      await read([one('a', { text: 'short' }), one('b', { kind: 'tool-call', name: 'Bash', text: long('old') }), usage('c', 3)]);
      bench.setNow(BASE_MS + 20 * DAY);
      const session = await read([one('d', { text: long('young') })]);
      const options = { now: BASE_MS + 31 * DAY, days: 30 };
      expect(await bench.store.expirable({ ...options, of: ['transcripts'] })).toMatchObject({ events: 0, entries: 2 });
      expect(await bench.store.expire({ ...options, maxBytes: 2 ** 31 })).toMatchObject({ events: 1, entries: 2 });
      const [transcript] = await bench.store.transcripts(session);
      expect(transcript?.list.map(({ text, name, tokens }) => [text, name, tokens?.output])).toEqual([
        [null, null, undefined],
        [null, 'Bash', undefined],
        [null, null, 3],
        [long('young'), null, undefined],
      ]);
      expect(transcript?.expired).toBe(true);
      expect(await bench.store.expirable(options)).toMatchObject({ events: 0, entries: 0, bytes: 0 });
    });

    it('drops what belongs to the sessions that are named, and nothing else', async () => {
      await read([one('a', { text: long('mine') })]);
      await bench.record(event(2, { session: 'ref-2', payload: { text: 'x' } }));
      const other = (await bench.session('ref-2')).id;
      await read([one('b', { text: long('others') })], { session: other });
      const sessions = [(await bench.session()).id];
      await bench.store.expire({ now: Date.now() + 1e12, days: 1, maxBytes: 2 ** 31, sessions });
      expect((await bench.store.transcripts(other))[0]?.list[0]?.text).toBe(long('others'));
      expect((await bench.store.transcripts(sessions[0] as string))[0]?.list[0]?.text).toBeNull();
      expect((await bench.store.events({ session: other })).map(({ expired }) => expired)).toEqual([false]);
    });

    it('can be redacted again with newer rules', async () => {
      const session = await read([one('a', { text: `${long('say')}xyzzyplugh` }), one('b', { text: 'xyzzyplugh' })]);
      const stored = await bench.store.bodies({ of: 'transcript', afterSeq: 0, limit: 10 });
      expect(stored).toHaveLength(2);
      const better = stored.map(({ seq, body }: StoredBody) => ({
        of: 'transcript' as const,
        seq,
        redaction: 'new',
        body: redactor.value(JSON.parse(JSON.stringify(body).replaceAll('xyzzyplugh', '[gone]'))),
      }));
      expect(await bench.store.rewriteBodies(better)).toMatchObject({ ok: true });
      const [transcript] = await bench.store.transcripts(session);
      expect(transcript?.list.map(({ text }) => text)).toEqual([`${long('say')}[gone]`, '[gone]']);
    });

    it('shrinks to its contents', async () => {
      const noise = (n: number): string =>
        Array.from({ length: 4000 }, (_, at) => ((at * 2654435761 + n * 40503) >>> 0).toString(36)).join('');
      await read(Array.from({ length: 60 }, (_, at) => one(`n-${at}`, { text: noise(at) })));
      const before = (await bench.store.stats()).bytes;
      await bench.store.expire({ now: Date.now() + 1e12, days: 1, maxBytes: 2 ** 31 });
      expect(await bench.store.compact()).toMatchObject({ ok: true });
      expect((await bench.store.stats()).bytes).toBeLessThan(before / 2);
    });
  });
