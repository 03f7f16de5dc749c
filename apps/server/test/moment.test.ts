import { expect, it } from 'vitest';
import { moments } from '../src/moment.ts';

it('looks once within a moment, and anew after it', () => {
  let now = 100;
  let looked = 0;
  const ask = moments(() => now).once(() => ++looked);
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  now += 2;
  expect(ask('a')).toBe(3);
});

it('takes an answer of nothing for an answer', () => {
  let looked = 0;
  const ask = moments(() => 100).once(() => {
    looked++;
    return undefined;
  });
  ask('a');
  ask('a');
  expect(looked).toBe(1);
});

it('holds all answers to the same moment, so that none rests on an older one', () => {
  let now = 100;
  let state = 'old';
  const moment = moments(() => now);
  const stat = moment.ahead(() => state);
  const derived = moment.once((path) => `${path} ${stat(path)}`);
  stat('a');
  now += 1.5;
  state = 'new';
  expect(derived('a')).toBe('a old');
  now += 1;
  expect(derived('a')).toBe('a new');
});

it('looks ahead for what the last moment asked, so that asking costs nothing', () => {
  let now = 100;
  const looked: string[] = [];
  const moment = moments(() => now);
  const ask = moment.ahead((path) => looked.push(path));
  const other = moment.once((path) => looked.push(path));
  for (const path of ['a', 'b']) ask(path);
  other('c');
  now += 50;
  moment.lookAhead();
  expect(looked.splice(0)).toEqual(['a', 'b', 'c', 'a', 'b']);
  ask('a');
  other('c');
  expect(looked.splice(0)).toEqual(['c']);
  now += 50;
  moment.lookAhead();
  // `b` was looked up and nobody asked: it is not likely any more.
  expect(looked.splice(0)).toEqual(['a']);
});

it('does not look ahead again in a moment that has only begun', () => {
  let now = 100;
  const looked: string[] = [];
  const moment = moments(() => now);
  const ask = moment.ahead((path) => looked.push(path));
  ask('a');
  now += 0.5;
  moment.lookAhead();
  expect(looked).toEqual(['a']);
});
