import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DAYS, tortureOptions } from '../torture.mjs';

it('plays 500 seeds of 60 steps if nothing is said, and as many as are', () => {
  expect(tortureOptions([])).toEqual({ seeds: 500, steps: 60, from: 1 });
  expect(tortureOptions(['--seeds', '20', '--from', '7'])).toEqual({ seeds: 20, steps: 60, from: 7 });
});

it('names the argument that is wrong', () => {
  expect(tortureOptions(['--seeds', 'many'])).toEqual({ error: '--seeds takes a whole number from 1' });
  expect(tortureOptions(['--seed', '1'])).toEqual({ error: 'unknown option --seed' });
});

it('plays days that are there', () => {
  for (const file of DAYS) expect(existsSync(join(import.meta.dirname, '..', '..', file))).toBe(true);
});
