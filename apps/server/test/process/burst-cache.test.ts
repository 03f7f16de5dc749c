import { expect, it } from 'vitest';
import { createBurstCache } from '../../src/process/burst-cache.ts';

/** Until whoever asked has given up the loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('looks once within a moment, and anew after it', async () => {
  let now = 100;
  let looked = 0;
  const ask = createBurstCache(() => now).cached(() => ++looked);
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  now += 2;
  await turn();
  expect(ask('a')).toBe(3);
});

it('takes an answer of nothing for an answer', () => {
  let looked = 0;
  const ask = createBurstCache(() => 100).cached(() => {
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
  const cache = createBurstCache(() => now);
  const stat = cache.prefetched(() => state);
  const derived = cache.cached((path) => `${path} ${stat(path)}`);
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
  const ask = createBurstCache(() => now).cached(() => ++looked);
  ask('a');
  now += 500;
  expect(ask('a')).toBe(1);
  await turn();
  expect(ask('a')).toBe(2);
});

it('looks ahead for what the last moment asked, so that asking costs nothing', async () => {
  let now = 100;
  const looked: string[] = [];
  const cache = createBurstCache(() => now);
  const ask = cache.prefetched((path) => looked.push(path));
  const other = cache.cached((path) => looked.push(path));
  for (const path of ['a', 'b']) ask(path);
  other('c');
  await turn();
  now += 50;
  cache.prefetch();
  expect(looked.splice(0)).toEqual(['a', 'b', 'c', 'a', 'b']);
  ask('a');
  other('c');
  expect(looked.splice(0)).toEqual(['c']);
  await turn();
  now += 50;
  cache.prefetch();
  // `b` was looked up and nobody asked: it is not likely any more.
  expect(looked.splice(0)).toEqual(['a']);
});

it('does not look ahead again in a moment that has only begun', () => {
  let now = 100;
  const looked: string[] = [];
  const cache = createBurstCache(() => now);
  const ask = cache.prefetched((path) => looked.push(path));
  ask('a');
  now += 0.5;
  cache.prefetch();
  expect(looked).toEqual(['a']);
});

it('looks anew at once when it is told that something has changed', () => {
  let looked = 0;
  const cache = createBurstCache(() => 100);
  const ask = cache.cached(() => ++looked);
  ask('a');
  cache.clear();
  expect(ask('a')).toBe(2);
});
