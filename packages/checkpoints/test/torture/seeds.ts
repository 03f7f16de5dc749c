/** How many days of each kind are played if nobody says: on CI ten, and on a person's machine two. */
const DAYS = process.env['CI'] ? 10 : 2;

const given = process.env['PITON_TORTURE_SEED'];

/** The last day is new each time, so that what nobody thought of is found some day; the others are the same on every run. */
export function playedSeeds(fixed: number): readonly number[] {
  const first = given === undefined ? fixed : Number(given);
  const runs = Number(process.env['PITON_TORTURE_RUNS'] ?? (given === undefined ? DAYS - 1 : 1));
  const days = Array.from({ length: runs }, (_, run) => first + run);
  return given === undefined ? [...days, 100_000 + Math.floor(Math.random() * 900_000)] : days;
}

export const stepsOf = (usual: number): number => Number(process.env['PITON_TORTURE_STEPS'] ?? usual);

/** How one day is played once more. */
export const againLine = (file: string, seed: number, steps: number): string =>
  `PITON_TORTURE_SEED=${seed} PITON_TORTURE_STEPS=${steps} npx vitest run packages/checkpoints/test/${file}.test.ts`;

/** Written past the runner, which may keep what a test that passes has to say. */
export const announce = (seed: number, again: string): void => void process.stdout.write(`torture: seed ${seed}; once more: ${again}\n`);
