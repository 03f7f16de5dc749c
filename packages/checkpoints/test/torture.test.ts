import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import { scratch } from './scratch.ts';
import { buildVictim, type Victim } from './torture/crashes.ts';
import { Day } from './torture/day.ts';
import { againLine, announce, playedSeeds, stepsOf } from './torture/seeds.ts';

/**
 * Random days of a person and some agents. The truth is a plain repository that Piton never sees: every command is run in
 * both, so index, refs and bytes must be the same; and every line says in its own text who wrote it.
 */
const STEPS = stepsOf(20);
const again = (seed: number): string => againLine('torture', seed, STEPS);

let victim: Victim;
beforeAll(async () => {
  victim = await buildVictim();
});
afterAll(() => victim.remove());

for (const seed of playedSeeds(4000)) {
  it(`survives a random day, seed ${seed}`, { timeout: 600_000 }, async () => {
    announce(seed, again(seed));
    const day = await Day.begin(scratch(), scratch(), seededRandom(seed), victim.program);
    try {
      for (let step = 0; step < STEPS; step++) {
        await day.step();
        if (step % 6 === 5) await day.checkAuthors();
      }
      await day.checkAuthors();
      await day.checkLinks();
      await day.checkRepository();
      expect(day.diary.done.length, 'a day on which nothing happens proves nothing').toBeGreaterThanOrEqual(STEPS);
    } catch (error) {
      const source = [again(seed), ...day.diary.done.slice(-80), error instanceof Error ? error.message : String(error)];
      throw new Error(source.join('\n'), { cause: error });
    }
  });
}
