import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import { scratch } from './scratch.ts';
import { buildVictim, type Victim } from './torture/crashes.ts';
import { Day } from './torture/day.ts';

/**
 * Random days of a person and some agents. The truth is a plain repository that Piton never sees: every command is run in
 * both, so index, refs and bytes must be the same; and every line says in its own text who wrote it. One day is the same on
 * every run; the other is new each time, so that what nobody thought of is found some day.
 */
const given = process.env['PITON_TORTURE_SEED'];
const FIXED_SEED = 4000;
const STEPS = Number(process.env['PITON_TORTURE_STEPS'] ?? 20);
const first = given === undefined ? Math.floor(Math.random() * 1_000_000) : Number(given);
const later = Array.from({ length: Number(process.env['PITON_TORTURE_RUNS'] ?? 1) }, (_, run) => first + run);
const seeds = given === undefined ? [FIXED_SEED, ...later] : later;

const again = (seed: number): string =>
  `PITON_TORTURE_SEED=${seed} PITON_TORTURE_STEPS=${STEPS} npx vitest run packages/checkpoints/test/torture.test.ts`;

let victim: Victim;
beforeAll(async () => {
  victim = await buildVictim();
});
afterAll(() => victim.remove());

for (const seed of seeds) {
  it(`survives a random day, seed ${seed}`, { timeout: 600_000 }, async () => {
    // Written past the runner, which may keep what a test that passes has to say.
    process.stdout.write(`torture: seed ${seed}; once more: ${again(seed)}\n`);
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
