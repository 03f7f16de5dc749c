import { expect, it } from 'vitest';
import { oneLine } from '../src/checkpoint.ts';

it('a prompt of many pages makes a short name, and not after minutes', () => {
  const climber = '🧗🏽';
  expect(oneLine(climber.repeat(100_000))).toBe(`${climber.repeat(119)}…`);
  expect(oneLine(`one\n\ttwo ${' '.repeat(100_000)} three`)).toBe('one two three');
  expect(oneLine('x'.repeat(120))).toBe('x'.repeat(120));
  expect(oneLine('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`);
});
