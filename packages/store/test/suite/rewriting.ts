import { describe, expect, it } from 'vitest';
import type { RewrittenBody, StoredBody } from '../../src/index.ts';
import { DENIED, event, redactor, stampOf } from '../records.ts';
import { type Bench, one } from './bench.ts';

/** A word that no rule of today knows: as if it had been recorded with older rules. */
const WORD = 'xyzzyplugh';

async function allBodies(bench: Bench, of: StoredBody['of']): Promise<StoredBody[]> {
  const all: StoredBody[] = [];
  for (;;) {
    const part = await bench.store.bodies({ of, afterSeq: all.at(-1)?.seq ?? 0, limit: 2 });
    if (part.length === 0) return all;
    all.push(...part);
  }
}

const cleaned = (stored: StoredBody): RewrittenBody => {
  const body = JSON.parse(JSON.stringify(stored.body).replaceAll(WORD, '[gone]'));
  return { of: stored.of, seq: stored.seq, redaction: 'new', body: redactor.value(body) } as unknown as RewrittenBody;
};

export const rewriting = (bench: Bench) =>
  describe('rewriting', () => {
    it('changes texts wherever they are kept, and nothing else', async () => {
      const long = { text: `${WORD} `.repeat(10_000) };
      await bench.record(
        event(1, {
          event: 'user_prompt_submit',
          prompt: `say ${WORD}`,
          text: WORD,
          source: WORD,
          model: WORD,
          branch: WORD,
          payload: long,
        }),
        event(2, {
          event: 'pre_tool_use',
          tool: { command: `echo ${WORD}`, files: [`/${WORD}`] },
          problems: redactor.value([WORD]),
          outcome: { ...DENIED, decision: { decision: 'deny', verdict: 'deny', reason: WORD } },
        }),
        event(3, { event: 'stop' }),
      );
      const session = (await bench.session()).id;
      await bench.store.observe({ id: stampOf(9), session, kind: 'note', wallUs: 1n, body: redactor.value({ WORD }), redaction: 'old' });
      await bench.store.indexPending(10);
      const before = one(await bench.store.event(stampOf(2)));
      expect(await bench.store.search(WORD)).toHaveLength(2);

      const stored = [...(await allBodies(bench, 'event')), ...(await allBodies(bench, 'observation'))];
      expect(stored.map(({ of }) => of)).toEqual(['event', 'event', 'event', 'observation']);
      expect(await bench.store.rewriteBodies(stored.map(cleaned))).toMatchObject({ ok: true });
      expect(await bench.store.scrub()).toMatchObject({ ok: true });

      const after = [...(await allBodies(bench, 'event')), ...(await allBodies(bench, 'observation'))];
      expect(JSON.stringify(after)).not.toContain(WORD);
      expect(after.map(({ redaction }) => redaction)).toEqual(['new', 'new', 'new', 'new']);
      expect(await bench.store.search(WORD)).toEqual([]);
      expect((await bench.store.search('gone')).length).toBe(2);
      const changed = one(await bench.store.event(stampOf(2)));
      expect(changed).toMatchObject({ tool: { command: 'echo [gone]', files: ['/[gone]'] }, reason: '[gone]', problems: ['[gone]'] });
      expect({ ...changed, tool: null, reason: null, problems: [], outcome: null, redaction: '' }).toEqual({
        ...before,
        tool: null,
        reason: null,
        problems: [],
        outcome: null,
        redaction: '',
      });
      expect(one(await bench.store.event(stampOf(1))).envelope?.payload).toEqual({ text: '[gone] '.repeat(10_000) });
      expect((await bench.store.stats()).bodies).toBe(1);
    });

    it('leaves dropped bodies dropped', async () => {
      await bench.record(event(1, { prompt: WORD }));
      await bench.store.expire({ now: Date.now() + 1e12, days: 1, maxBytes: 2 ** 31 });
      await bench.store.rewriteBodies((await allBodies(bench, 'event')).map(cleaned));
      expect(one(await bench.store.event(stampOf(1)))).toMatchObject({ envelope: null, outcome: null, expired: true, prompt: '[gone]' });
    });
  });
