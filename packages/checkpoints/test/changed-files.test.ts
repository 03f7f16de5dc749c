import { expect, it } from 'vitest';
import { changedFiles } from '../src/history/changed-files.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { scratch } from './scratch.ts';

const ABOUT = { name: 'Work', session: 's1', agent: 'someone', turn: 't1', kind: 'stop', by: 'agent', always: true } as const;

it('each checkpoint tells which files it changed, none and odd names included', async () => {
  const user = scratch();
  const worktree: Worktree = await user.worktree();
  const steps: (() => void)[] = [
    () => {},
    () => user.write('line\nfeed.txt', 'x\n'),
    () => {},
    () => {},
    () => user.shell('rm -r src; git mv README.md read.md; chmod +x .gitignore'),
    () => {},
  ];
  for (const step of steps) {
    step();
    expect((await take(worktree, ABOUT)).result).toBe('made');
  }
  const all = await listCheckpoints(worktree.git, worktree.repository);
  const files = [null, ['line\nfeed.txt'], [], [], ['.gitignore', 'README.md', 'read.md', 'src/deep/er/leaf.ts', 'src/main.ts'], []];
  expect(await changedFiles(worktree, all, all)).toEqual(files);
  expect(await changedFiles(worktree, all.slice(-2), all)).toEqual(files.slice(-2));
  expect(await changedFiles(worktree, all.slice(0, 1), all)).toEqual([null]);
});

it('a file that is named like what git writes between two checkpoints is a file', async () => {
  const user = scratch();
  const worktree: Worktree = await user.worktree();
  const names = [`${'a'.repeat(40)} ${'b'.repeat(40)}\nrest`, `${'c'.repeat(40)} ${'d'.repeat(40)}\n`, ':100644 100644 aaaa bbbb M'];
  for (const content of ['before\n', 'after\n']) {
    await take(worktree, ABOUT);
    for (const name of names) user.write(name, content);
  }
  await take(worktree, ABOUT);
  user.write('last.txt', 'last\n');
  await take(worktree, ABOUT);
  const all = await listCheckpoints(worktree.git, worktree.repository);
  expect(await changedFiles(worktree, all, all)).toEqual([null, names.toSorted(), names.toSorted(), ['last.txt']]);
});

it('where the tree of a checkpoint is lost, none of its neighbours is told another’s files', async () => {
  const user = scratch();
  const worktree: Worktree = await user.worktree();
  for (const name of ['a', 'b', 'c', 'd']) {
    user.write(`${name}.txt`, 'x\n');
    expect((await take(worktree, ABOUT)).result).toBe('made');
  }
  const all = await listCheckpoints(worktree.git, worktree.repository);
  const tree = all[1]?.tree ?? '';
  user.shell('mv .git/objects/pack .git/packed; for pack in .git/packed/*.pack; do git unpack-objects -q < $pack; done');
  user.remove(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`);
  expect(() => user.git('cat-file', '-e', tree)).toThrow();
  expect(await changedFiles(worktree, all, all)).toEqual([null, null, null, null]);
});
