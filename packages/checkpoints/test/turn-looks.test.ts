import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

/** How often git was asked for what differs in the working tree, which is what grows with it. */
const looksOf = ({ slow }: SharedTree): number => slow.started.filter((args) => args.includes('status')).length;

/** Looks of the second turn: the first look at a repository is none that counts. */
async function looksDuring(work: (tree: SharedTree, write: (text: string) => void) => Promise<void>): Promise<number> {
  const user = scratch();
  const tree = new SharedTree(user);
  const write = (text: string): void => void user.write('made.txt', text);
  const turn = async (): Promise<void> => {
    await tree.prompt('s1');
    await work(tree, write);
    await tree.stop('s1');
  };
  await turn();
  const before = looksOf(tree);
  await turn();
  return looksOf(tree) - before;
}

it.each([
  [0, 1],
  [1, 4],
  [3, 8],
])('a turn with %d commands, one after the other, costs %d looks', async (commands, looks) => {
  const found = await looksDuring(async (tree, write) => {
    for (let at = 0; at < commands; at++) await tree.runs('s1', 'make everything', () => write(`${Math.random()}\n`));
    await tree.edits('s1', 'src/main.ts', () => void tree.user.write('src/main.ts', `${Math.random()}\n`));
  });
  expect(found).toBe(looks);
});

it('what is known to read costs none', async () => {
  expect(await looksDuring((tree) => tree.runs('s1', 'git status && ls', () => {}))).toBe(1);
});

it('a turn of edits alone has the state in which it began of files that nobody names, also of one that the person writes again meanwhile', async () => {
  const user = scratch();
  user.write('mine.txt', 'committed\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  user.write('mine.txt', 'before the prompt\n');
  await tree.prompt('s1');
  user.write('mine.txt', 'during the turn\n');
  await tree.edits('s1', 'made.txt', () => void user.write('made.txt', 'made\n'));
  await tree.stop('s1');
  const checkpoints = await tree.checkpoints();
  const [first] = await checkpoints.list();
  expect(await checkpoints.rewind(first?.id ?? '', { everything: true })).toMatchObject({ result: 'rewound' });
  expect([user.read('mine.txt'), existsSync(user.path('made.txt'))]).toEqual(['before the prompt\n', false]);
});
