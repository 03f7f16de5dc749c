import { describe, expect, it } from 'vitest';
import { BASE_MS, event, OBSERVED, stampOf } from '../records.ts';
import { type Bench, one } from './bench.ts';

export const keeping = (bench: Bench) =>
  describe('keeping', () => {
    const DAY = 86_400_000;
    const big = (word: string) => ({ text: `${word} `.repeat(40_000) });

    it('drops bodies that are too old, and keeps their headers', async () => {
      bench.setNow(BASE_MS);
      await bench.record(event(1, { event: 'user_prompt_submit', prompt: 'kept', text: 'gone', payload: big('old'), outcome: OBSERVED }));
      bench.setNow(BASE_MS + 20 * DAY);
      await bench.record(event(2, { payload: { small: 1 } }));
      expect(await bench.store.expire({ now: BASE_MS + 31 * DAY, days: 30, maxBytes: 2 ** 31 })).toMatchObject({ events: 1 });
      expect(one(await bench.store.event(stampOf(1)))).toMatchObject({
        envelope: null,
        outcome: null,
        text: null,
        prompt: 'kept',
        expired: true,
        event: 'user_prompt_submit',
      });
      expect(one(await bench.store.event(stampOf(2)))).toMatchObject({ expired: false, envelope: { payload: { small: 1 } } });
      expect(await bench.store.stats()).toMatchObject({ bodies: 0, events: 2 });
      expect(await bench.session()).toMatchObject({ events: 2, turns: 1 });
      expect(await bench.store.expire({ now: BASE_MS + 31 * DAY, days: 30, maxBytes: 2 ** 31 })).toMatchObject({ events: 0 });
    });

    it('keeps a body that a newer event shares', async () => {
      bench.setNow(BASE_MS);
      await bench.record(event(1, { payload: big('same') }));
      bench.setNow(BASE_MS + 20 * DAY);
      await bench.record(event(2, { payload: big('same') }));
      await bench.store.expire({ now: BASE_MS + 31 * DAY, days: 30, maxBytes: 2 ** 31 });
      expect(one(await bench.store.event(stampOf(1))).envelope).toBeNull();
      expect(one(await bench.store.event(stampOf(2))).envelope?.payload).toEqual(big('same'));
    });

    it('drops the oldest first until it is small enough', async () => {
      const noise = (n: number) => ({
        text: Array.from({ length: 20_000 }, (_, i) => ((i * 2654435761 + n * 40503) >>> 0).toString(36)).join(''),
      });
      for (let n = 1; n <= 1200; n++) {
        bench.setNow(BASE_MS + n);
        await bench.record(event(n, { payload: n > 1190 ? noise(n) : { n } }));
      }
      const before = (await bench.store.stats()).bytes;
      const { events, bytes } = await bench.store.expire({ now: BASE_MS + DAY, days: 30, maxBytes: before - 1 });
      expect(bytes).toBeLessThan(before);
      expect(events).toBeGreaterThan(0);
      expect(one(await bench.store.event(stampOf(1))).expired).toBe(true);
      expect((await bench.store.stats()).events).toBe(1200);
    });
  });
