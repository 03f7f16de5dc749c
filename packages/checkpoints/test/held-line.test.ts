import { mkdirSync, rmSync } from 'node:fs';
import { eventually } from '@piton/testing';
import { expect, it } from 'vitest';
import { type Scratch, scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

function begun(): { user: Scratch; tree: SharedTree } {
  const user = scratch();
  return { user, tree: new SharedTree(user) };
}

const listed = async (tree: SharedTree): Promise<string[]> =>
  (await (await tree.checkpoints()).list()).map(({ kind, by }) => `${kind} ${by}`);

it('an edit that is made while the image of its prompt waits is the agent’s, and can be taken back', async () => {
  const { user, tree } = begun();
  user.write('src/main.ts', 'mine\n');
  tree.slow.hold();
  await tree.prompt('one');
  await tree.edits('one', 'src/main.ts', () => user.write('src/main.ts', 'mine\nfrom the call\n'));
  await tree.stop('one');
  tree.slow.release();
  expect(await listed(tree)).toEqual(['prompt human', 'stop agent']);
  expect(await tree.whose('src/main.ts')).toEqual(['me: mine', 'one: from the call']);
  const all = await (await tree.checkpoints()).list();
  await (await tree.checkpoints()).rewind(all[0]?.id ?? '');
  expect(user.read('src/main.ts')).toBe('mine\n');
});

it('an edit that is made while an earlier look waits is not found by that look, whoever looks', async () => {
  const { user, tree } = begun();
  await tree.prompt('one');
  await tree.edits('one', 'slow.txt', () => user.write('slow.txt', 'slow\n'));
  tree.slow.hold();
  // Whoever is asked meanwhile looks first, and finds what the other has written since.
  await tree.prompt('two');
  await tree.edits('one', 'late.txt', () => user.write('late.txt', 'late\n'));
  await tree.stop('one');
  await tree.prompt('one');
  tree.slow.release();
  expect(await tree.whose('late.txt')).toEqual(['one: late']);
  expect((await listed(tree)).filter((each) => each.endsWith('human'))).toEqual(['prompt human']);
});

it('what a person does to a file after a call that names it, and before anybody looks, is theirs', async () => {
  const { user, tree } = begun();
  await tree.prompt('one');
  tree.slow.hold();
  await tree.edits('one', 'a.txt', () => user.write('a.txt', 'from the call\n'));
  user.write('a.txt', 'from the call\nfrom me\n');
  await tree.edits('one', 'a.txt', () => user.write('a.txt', 'from the call\nfrom me\nfrom the next call\n'));
  user.write('a.txt', 'from the call\nfrom me\nfrom the next call\nand again from me\n');
  await tree.stop('one');
  tree.slow.release();
  expect(await tree.whose('a.txt')).toEqual(['one: from the call', 'me: from me', 'one: from the next call', 'me: and again from me']);
});

it('a command that went on while the image of its prompt was taken is in no state before it, also if the server learns of it only then', async () => {
  const { user, tree } = begun();
  await tree.prompt('one');
  await tree.edits('one', 'a.txt', () => user.write('a.txt', 'a\n'));
  await tree.stop('one');
  tree.slow.hold();
  await tree.prompt('one');
  await eventually(() => tree.slow.waited > 0);
  tree.silence();
  await tree.runs('one', 'make everything', () => user.write('made.txt', 'made\n'));
  tree.slow.release();
  expect(await tree.whose('made.txt')).toEqual(['shared: made']);
  const checkpoints = await tree.checkpoints();
  expect(await checkpoints.beforeLatestTurn(await checkpoints.list())).toMatchObject({ result: 'no-way-back' });
});

it('what was asked in a repository that is gone is not done in the one that was made in its place', async () => {
  const { user, tree } = begun();
  await tree.prompt('one');
  await tree.runs('one', 'echo more >> a.txt');
  tree.slow.hold();
  user.write('mine.txt', 'mine\n');
  // One is looking by then, and the others wait for it.
  await tree.prompt('two');
  await tree.prompt('three');
  await tree.stop('one');
  await eventually(() => tree.slow.waited > 0);
  rmSync(user.root, { recursive: true });
  mkdirSync(user.root);
  user.git('init', '--quiet', '--initial-branch=main');
  user.write('theirs.txt', 'theirs\n');
  tree.slow.release();
  await tree.settled();
  expect([await listed(tree), tree.problems]).toEqual([[], []]);
  await tree.prompt('four');
  expect(await listed(tree)).toEqual(['prompt human']);
});
