import { describe, expect, it } from 'vitest';
import { event, stampOf } from '../records.ts';
import type { Bench } from './bench.ts';

export const searching = (bench: Bench) =>
  describe('searching', () => {
    const found = async (text: string) => (await bench.store.search(text)).map(({ event: hit }) => hit.eventId).sort();

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
      expect((await bench.store.search('npm'))[0]?.snippet).toContain('⟦npm⟧');
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
  });
