import { expect, it } from 'vitest';
import { moments } from '../src/moment.ts';

/** Until whoever asked has given up the loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('looks once within a moment, and anew after it', async () => {
  let now = 100;
  let looked = 0;
  const ask = moments(() => now).once(() => ++looked);
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  now += 2;
  await turn();
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

it('holds all answers to the same moment, so that none rests on an older one', async () => {
  let now = 100;
  let state = 'old';
  const moment = moments(() => now);
  const stat = moment.ahead(() => state);
  const derived = moment.once((path) => `${path} ${stat(path)}`);
  stat('a');
  now += 1.5;
  state = 'new';
  await turn();
  expect(derived('a')).toBe('a old');
  now += 1;
  await turn();
  expect(derived('a')).toBe('a new');
});

it('does not look twice in one go, however long that takes', async () => {
  let now = 100;
  let looked = 0;
  const ask = moments(() => now).once(() => ++looked);
  ask('a');
  now += 500;
  expect(ask('a')).toBe(1);
  await turn();
  expect(ask('a')).toBe(2);
});

it('looks ahead for what the last moment asked, so that asking costs nothing', async () => {
  let now = 100;
  const looked: string[] = [];
  const moment = moments(() => now);
  const ask = moment.ahead((path) => looked.push(path));
  const other = moment.once((path) => looked.push(path));
  for (const path of ['a', 'b']) ask(path);
  other('c');
  await turn();
  now += 50;
  moment.lookAhead();
  expect(looked.splice(0)).toEqual(['a', 'b', 'c', 'a', 'b']);
  ask('a');
  other('c');
  expect(looked.splice(0)).toEqual(['c']);
  await turn();
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

it('looks anew at once when it is told that something has changed', () => {
  let looked = 0;
  const moment = moments(() => 100);
  const ask = moment.once(() => ++looked);
  ask('a');
  moment.forget();
  expect(ask('a')).toBe(2);
});
