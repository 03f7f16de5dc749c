import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

it('what an edit was about to overwrite is not lost with a server that is killed while it waits in line', async () => {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  const killed = new SharedTree(user);
  await killed.prompt('one');
  user.write('a.txt', 'a\nmine, in no checkpoint\n');
  user.write('gone.txt', 'mine too\n');
  killed.slow.hold();
  // Nobody gets anywhere from here on: as if it were dead.
  await killed.prompt('one', 'again');
  const call = await killed.begins('one', 'edit', { file_path: user.path('a.txt') });
  user.write('a.txt', 'from the call\n');
  const next = new SharedTree(user);
  await next.ends('one', call);
  await next.prompt('one', 'once more');
  const checkpoints = await next.checkpoints();
  expect(checkpoints.calls().find(({ id }) => id === call.stamp)).toMatchObject({ wayBack: { kind: 'files' } });
  expect(await checkpoints.rewind(call.stamp)).toMatchObject({ result: 'rewound', written: ['a.txt'] });
  expect(user.read('a.txt')).toBe('a\nmine, in no checkpoint\n');
});

it('and no copy stays once git has it', async () => {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  tree.slow.hold();
  await tree.prompt('one');
  await tree.begins('one', 'edit', { file_path: user.path('a.txt') });
  expect(readdirSync(join(user.home, 'held'))).toHaveLength(1);
  tree.slow.release();
  await tree.settled();
  expect(readdirSync(join(user.home, 'held'))).toEqual([]);
});

it('a hook of git’s that waited does nothing in a repository that was made in the place of its own', async () => {
  const user = scratch();
  const tree = new SharedTree(user);
  await tree.prompt('one');
  tree.slow.hold();
  tree.gitHook('prepare-commit-msg', '.git/COMMIT_EDITMSG', 'message');
  rmSync(join(user.root, '.git'), { recursive: true });
  user.git('init', '--quiet');
  tree.slow.release();
  await tree.settled();
  expect(tree.problems).toEqual([]);
  expect(existsSync(join(user.root, '.git', 'refs', 'piton'))).toBe(false);
});
