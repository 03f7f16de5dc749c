import { expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import { scratch } from './scratch.ts';
import { RewindDay } from './torture/rewind-day.ts';
import { againLine, announce, playedSeeds, stepsOf } from './torture/seeds.ts';
import { Tally } from './torture/tally.ts';

const STEPS = stepsOf(24);
const again = (seed: number): string => againLine('rewind-torture', seed, STEPS);

for (const seed of playedSeeds(11)) {
  it(`gives back what lay there, whatever became of it, or says before which paths it cannot, seed ${seed}`, {
    timeout: 600_000,
  }, async () => {
    announce(seed, again(seed));
    const tally = new Tally();
    const day = new RewindDay(scratch(), seededRandom(seed), tally);
    try {
      for (let step = 0; step < STEPS; step++) await day.step();
      await day.rewinds();
      expect(day.done.length).toBeGreaterThan(STEPS);
    } catch (error) {
      throw new Error([again(seed), ...day.done, error instanceof Error ? error.message : String(error)].join('\n'), { cause: error });
    } finally {
      tally.print(seed);
    }
  });
}
