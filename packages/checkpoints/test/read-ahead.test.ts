import type { Git } from '@piton/git';
import { expect, it } from 'vitest';
import { readAhead } from '../src/attribution/ahead.ts';
import { objectsOf } from '../src/attribution/objects.ts';
import { scratch } from './scratch.ts';

it('what is read ahead is read once, in as many processes as keep to the limit, and what does not fit when it is wanted', async () => {
  const user = scratch();
  const sizes = [400, 300, 300, 200, 5000, 100];
  for (const [at, size] of sizes.entries()) user.write(`${at}.txt`, `${at}`.repeat(size));
  user.commit('Files');
  const worktree = await user.worktree();
  const read: number[] = [];
  const git: Git = async (args, options) => {
    const result = await worktree.git(args, options);
    if (args.includes('--batch')) read.push(result.stdout.length);
    return result;
  };
  const objects = objectsOf({ ...worktree, git }, 2000);
  const oids = await objects.ids(sizes.map((_, at) => ['HEAD', `${at}.txt`]));
  const files = oids.map((oid, at) => [at, new Set([oid ?? ''])] as const);
  for await (const at of readAhead(objects, files)) {
    const [blob] = await objects.read([oids[at] ?? null]);
    expect(blob?.toString()).toBe(`${at}`.repeat(sizes[at] ?? 0));
  }
  // Half of the limit at a time, besides a line about each.
  const content = (sum: number, count: number) => sum + count * `${oids[0]} blob 100\n\n`.length;
  expect(read).toEqual([content(1000, 3), content(200, 1), content(5000, 1) + 1, content(100, 1)]);
  read.length = 0;
  await objects.read([oids[5] ?? null]);
  expect(read).toEqual([]);
  await objects.read([oids[0] ?? null]);
  expect(read).toEqual([content(400, 1)]);
});
