import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { batchesOf, countsIn, DAYS, tortureOptions } from '../torture.mjs';

it('plays 500 seeds of 60 steps if nothing is said, and as many as are', () => {
  expect(tortureOptions([])).toEqual({ seeds: 500, steps: 60, from: 1, jobs: 1, again: false });
  expect(tortureOptions(['--seeds', '20', '--again', '--from', '7'])).toEqual({ seeds: 20, steps: 60, from: 7, jobs: 1, again: true });
});

it('names the argument that is wrong', () => {
  expect(tortureOptions(['--seeds', 'many'])).toEqual({ error: '--seeds takes a whole number from 1' });
  expect(tortureOptions(['--seed', '1'])).toEqual({ error: 'unknown option --seed' });
});

it('plays days that are there', () => {
  for (const file of DAYS) expect(existsSync(join(import.meta.dirname, '..', '..', file))).toBe(true);
});

it('plays what was not played, a few seeds of every kind of day at a time', () => {
  const [first, second] = DAYS;
  const isPlayed = (day, seed) => day === first && seed < 6;
  const batches = batchesOf({ seeds: 7, from: 1 }, isPlayed, 5);
  expect(batches.filter(({ day }) => day === first)).toEqual([{ day: first, first: 6, count: 2 }]);
  expect(batches.filter(({ day }) => day === second)).toEqual([
    { day: second, first: 1, count: 5 },
    { day: second, first: 6, count: 2 },
  ]);
});

it('sums up what days have counted', () => {
  const output = 'torture: seed 1 counted: lines 3, false you 1\nnoise\ntorture: seed 2 counted: lines 4, shared 2\n';
  expect(countsIn(output)).toEqual({ lines: 7, 'false you': 1, shared: 2 });
});
