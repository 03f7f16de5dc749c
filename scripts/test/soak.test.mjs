import { expect, it } from 'vitest';
import { soakOptions } from '../soak.mjs';

it('takes a load, rounds and files', () => {
  expect(soakOptions(['--load', '8', 'scenarios/storm', '--rounds', '2'])).toEqual({ load: 8, rounds: 2, files: ['scenarios/storm'] });
});

it('refuses what it does not know', () => {
  expect(soakOptions(['--load', 'much'])).toEqual({ error: '--load takes a whole number from 1 to 256' });
  expect(soakOptions(['--laod', '8'])).toEqual({ error: 'unknown option --laod' });
});
