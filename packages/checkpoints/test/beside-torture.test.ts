import { expect, it, vi } from 'vitest';
import { seededRandom } from './random.ts';
import { scratch } from './scratch.ts';
import { Beside } from './torture/beside.ts';
import { againLine, announce, playedSeeds, stepsOf } from './torture/seeds.ts';
import { Tally } from './torture/tally.ts';

/** Random days of a person beside two agents. */
const STEPS = stepsOf(24);
const again = (seed: number): string => againLine('beside-torture', seed, STEPS);

for (const seed of playedSeeds(7)) {
  it(`knows who wrote each line of a random day, seed ${seed}`, { timeout: 600_000 }, async () => {
    announce(seed, again(seed));
    const tally = new Tally();
    const clock = { offset: 0 };
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.offset);
    const main = scratch();
    main.git('branch', 'linked-base');
    const day = new Beside(main, seededRandom(seed), clock, tally);
    try {
      for (let step = 0; step < STEPS; step++) {
        await day.step();
        if (step % 6 === 5) await day.check();
      }
      await day.check();
      expect(day.done.length).toBeGreaterThan(STEPS);
    } catch (error) {
      throw new Error([again(seed), ...day.done, error instanceof Error ? error.message : String(error)].join('\n'), { cause: error });
    } finally {
      vi.restoreAllMocks();
      tally.print(seed);
    }
  });
}
