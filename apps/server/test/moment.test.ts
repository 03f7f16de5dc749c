import { expect, it } from 'vitest';
import { withinMoment } from '../src/moment.ts';

it('looks once within a moment, and anew after it', () => {
  let now = 100;
  let looked = 0;
  const ask = withinMoment(
    (path: string) => path,
    () => ++looked,
    () => now,
  );
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  now += 2;
  expect(ask('a')).toBe(3);
});

it('looks ahead for the latest questions, so that asking costs nothing', () => {
  let now = 100;
  const looked: string[] = [];
  const ask = withinMoment(
    (path: string) => path,
    (path) => looked.push(path),
    () => now,
  );
  for (const path of ['a', 'b', 'c', 'd', 'e']) ask(path);
  now += 50;
  ask.lookAhead();
  expect(looked.slice(5)).toEqual(['d', 'e']);
  ask('e');
  expect(looked).toHaveLength(7);
  ask('a');
  expect(looked).toHaveLength(8);
});
