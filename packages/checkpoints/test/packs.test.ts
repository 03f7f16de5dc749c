import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mergePacks, releasePacks } from '../src/snapshot/packs.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { type Scratch, scratch } from './scratch.ts';

const packs = (user: Scratch, ending: string) => readdirSync(user.path('.git/objects/pack')).filter((name) => name.endsWith(ending));

async function edit(user: Scratch, worktree: Worktree, at: number): Promise<string> {
  user.write('src/main.ts', `edit ${at}\n`);
  const taken = await take(worktree, {
    kind: 'stop',
    name: `edit ${at}`,
    by: 'agent',
    session: 's',
    agent: null,
    turn: null,
    touched: [user.path('src/main.ts')],
  });
  if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
  return taken.checkpoint.ref;
}

it('row 37, loose objects and gc: no loose object, few packs, and the user’s gc --auto has no more to do than before', async () => {
  const user = scratch();
  user.git('gc', '--quiet');
  user.git('config', 'gc.autoPackLimit', '3');
  user.git('config', 'gc.auto', '10');
  user.git('config', 'gc.autoDetach', 'false');
  const worktree = await user.worktree();
  const refs: string[] = [];
  for (let at = 0; at < 65; at++) refs.push(await edit(user, worktree, at));
  expect(user.git('count-objects')).toMatch(/^0 objects/);
  expect(packs(user, '.keep').length).toBeLessThan(20);
  const before = packs(user, '.pack');
  user.git('gc', '--auto');
  expect(packs(user, '.pack')).toEqual(before);
  await mergePacks(worktree.git, worktree.repository, { always: true });
  expect(packs(user, '.keep')).toHaveLength(1);
  for (const [at, ref] of refs.entries()) expect(user.git('show', `${ref}:src/main.ts`)).toBe(`edit ${at}`);
  expect(user.git('fsck', '--full', '--strict')).toBe('');
});

it('everything is there after amend, rebase and gc --prune=now', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  user.write('second.txt', 'second\n');
  user.commit('second');
  const ref = await edit(user, worktree, 1);
  user.git('commit', '--quiet', '--amend', '-am', 'amended');
  user.git('reset', '--quiet', '--hard', 'HEAD~1');
  user.git('reflog', 'expire', '--expire=now', '--all');
  user.git('gc', '--quiet', '--prune=now');
  expect(user.git('show', `${ref}:src/main.ts`)).toBe('edit 1');
  expect(user.git('show', `${ref}:second.txt`)).toBe('second');
  expect(user.git('fsck', '--full', '--strict')).toBe('');
});

it('a blob that the user added, and that lies in our pack alone, stays when the checkpoint goes', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const ref = await edit(user, worktree, 7);
  const loose = user.git('count-objects');
  user.git('add', 'src/main.ts');
  expect(user.git('count-objects')).toBe(loose);
  user.git('update-ref', '-d', ref);
  await mergePacks(worktree.git, worktree.repository, { always: true });
  await releasePacks(worktree.git, worktree.repository, { now: true });
  user.git('commit', '--quiet', '-m', 'the added blob');
  expect(user.git('show', 'HEAD:src/main.ts')).toBe('edit 7');
  expect(user.git('fsck', '--full')).toBe('');
});

it('a deleted checkpoint frees its space', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  user.write('noise.bin', Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251)));
  const ref = await edit(user, worktree, 1);
  const blob = user.git('rev-parse', `${ref}:noise.bin`);
  user.remove('noise.bin');
  user.git('update-ref', '-d', ref);
  await releasePacks(worktree.git, worktree.repository, { now: true });
  expect(() => user.git('cat-file', '-e', blob)).toThrow();
});

it('packs that a multi-pack-index lists are merged too, and it then lists the one in their place', async () => {
  const user = scratch();
  user.git('gc', '--quiet');
  const worktree = await user.worktree();
  const refs: string[] = [];
  for (let at = 0; at < 3; at++) refs.push(await edit(user, worktree, at));
  user.git('multi-pack-index', 'write');
  refs.push(await edit(user, worktree, 3));
  const others = packs(user, '.pack').length - packs(user, '.keep').length;
  expect(await mergePacks(worktree.git, worktree.repository, { always: true })).toBe(4);
  expect(packs(user, '.keep')).toHaveLength(1);
  expect(packs(user, '.pack')).toHaveLength(others + 1);
  user.git('multi-pack-index', 'verify');
  for (const [at, ref] of refs.entries()) expect(user.git('show', `${ref}:src/main.ts`)).toBe(`edit ${at}`);
  expect(user.git('fsck', '--full')).toBe('');
  // It is git's own again: its maintenance goes on with it.
  user.git('repack', '--quiet', '-d', '--write-midx');
  expect(user.git('fsck', '--full')).toBe('');
});

it('packs whose index git cannot write anew stay as they are', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const refs: string[] = [];
  for (let at = 0; at < 3; at++) refs.push(await edit(user, worktree, at));
  user.git('multi-pack-index', 'write');
  const before = packs(user, '').sort();
  user.write('.git/objects/pack/multi-pack-index.lock', '');
  expect(await mergePacks(worktree.git, worktree.repository, { always: true })).toBe(0);
  user.remove('.git/objects/pack/multi-pack-index.lock');
  expect(packs(user, '').sort()).toEqual(before);
  expect(user.git('fsck', '--full')).toBe('');
});
