import { expect, test, vi } from 'vitest';
import { scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

const LINES = /^Piton-Checkpoint:/gm;

async function ofTwo() {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  for (const session of ['one', 'two']) {
    await tree.prompt(session);
    await tree.begins(session, 'shell', { command: 'make everything' });
  }
  user.write('a.txt', 'a\nof one, two or me\n');
  for (const session of ['one', 'two']) await tree.stop(session);
  return { user, tree };
}

test('a commit of what one of several sessions may have written is linked to each of them', async () => {
  const { user, tree } = await ofTwo();
  user.git('add', '-A');
  expect((await tree.commit('Both')).match(LINES)).toHaveLength(2);
  expect(await tree.whose('a.txt')).toEqual(['me: a', 'shared: of one, two or me']);
});

test('and stays shared where the clock was set back before it', async () => {
  const { user, tree } = await ofTwo();
  user.git('add', '-A');
  user.date = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 3 * 3_600_000);
  try {
    await tree.commit('Both');
    expect(await tree.whose('a.txt')).toEqual(['me: a', 'shared: of one, two or me']);
  } finally {
    vi.restoreAllMocks();
  }
});
