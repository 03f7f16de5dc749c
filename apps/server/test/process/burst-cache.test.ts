import { expect, it } from 'vitest';
import { createBurstCache } from '../../src/process/burst-cache.ts';

/** After the current synchronous run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('looks up once within a burst, and again after it', async () => {
  let now = 100;
  let looked = 0;
  const ask = createBurstCache(() => now).cached(() => ++looked);
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  now += 2;
  await turn();
  expect(ask('a')).toBe(3);
});

it('caches undefined too', () => {
  let looked = 0;
  const ask = createBurstCache(() => 100).cached(() => {
    looked++;
    return undefined;
  });
  ask('a');
  ask('a');
  expect(looked).toBe(1);
});

it('starts the burst of all lookups at the same time, so that no result is older than another', async () => {
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

it('looks up once per synchronous run, however long that takes', async () => {
  let now = 100;
  let looked = 0;
  const ask = createBurstCache(() => now).cached(() => ++looked);
  ask('a');
  now += 500;
  expect(ask('a')).toBe(1);
  await turn();
  expect(ask('a')).toBe(2);
});

it('prefetches the keys of the last burst', async () => {
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
  // `b` was prefetched but not used, so it is not prefetched again.
  expect(looked.splice(0)).toEqual(['a']);
});

it('does not prefetch again in a burst that has just begun', () => {
  let now = 100;
  const looked: string[] = [];
  const cache = createBurstCache(() => now);
  const ask = cache.prefetched((path) => looked.push(path));
  ask('a');
  now += 0.5;
  cache.prefetch();
  expect(looked).toEqual(['a']);
});

it('looks up again at once after clear', () => {
  let looked = 0;
  const cache = createBurstCache(() => 100);
  const ask = cache.cached(() => ++looked);
  ask('a');
  cache.clear();
  expect(ask('a')).toBe(2);
});
