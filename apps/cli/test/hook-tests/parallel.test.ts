import { describe, expect, it } from 'vitest';
import { runInParallel } from '../../src/hook-tests/parallel.ts';

const tick = (times: number): Promise<void> => (times === 0 ? Promise.resolve() : Promise.resolve().then(() => tick(times - 1)));

describe('parallel runs', () => {
  it('return their results in the order of the items, whichever is first', async () => {
    const items = Array.from({ length: 50 }, (_, at) => at);
    const counts: number[] = [];
    const results = await runInParallel(
      items,
      (at) => tick((at * 7) % 13).then(() => at * 2),
      new AbortController().signal,
      (n) => counts.push(n),
    );
    expect(results).toEqual(items.map((at) => at * 2));
    expect(counts).toEqual(items.map((at) => at + 1));
  });

  it('stop at a signal: an interrupted or unstarted run has no result', async () => {
    const stop = new AbortController();
    let begun = 0;
    const run = async (at: number): Promise<number> => {
      begun++;
      await tick(3);
      if (at === 2) stop.abort();
      return at;
    };
    const results = await runInParallel(
      Array.from({ length: 1000 }, (_, at) => at),
      run,
      stop.signal,
    );
    expect(results.filter((one) => one !== undefined).length).toBeLessThan(begun);
    expect(begun).toBeLessThan(1000);
    expect(results[2]).toBeUndefined();
  });
});
