import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

const LINE = 'Piton-Checkpoint:';

/** Every line says who wrote it; the test knows. */
function begin() {
  const user = scratch();
  const tree = new SharedTree(user);
  const adds = (who: string, file: string, text: string) => appendFileSync(user.path(file), `${who} wrote ${text}\n`);
  return { user, tree, adds };
}

describe('after Esc, with no call open,', () => {
  async function interrupted() {
    const all = begin();
    const { tree, adds } = all;
    await tree.prompt('s1');
    await tree.edits('s1', 'a.txt', () => adds('s1', 'a.txt', 'the first line'));
    await tree.runs('s1', 'echo "s1 wrote it in the shell" >> b.txt');
    // Esc: nothing more is heard of the turn.
    adds('me', 'mine.txt', 'a new file');
    adds('me', 'a.txt', 'the second line');
    return all;
  }

  it('what the person writes is the person’s, in blame', async () => {
    const { tree } = await interrupted();
    expect(await tree.whose('mine.txt')).toEqual(['me: me wrote a new file']);
    expect(await tree.whose('a.txt')).toEqual(['s1: s1 wrote the first line', 'me: me wrote the second line']);
    expect(await tree.whose('b.txt')).toEqual(['s1: s1 wrote it in the shell']);
  });

  it('the person’s own commit has no trailer, and is theirs', async () => {
    const { tree, user } = await interrupted();
    user.git('add', 'mine.txt');
    expect(await tree.commit('Mine')).not.toContain(LINE);
    expect(await (await tree.checkpoints()).attributeCommit('HEAD')).toMatchObject({ agent: 0, human: 1, shared: 0 });
    user.git('add', '-A');
    expect(await tree.commit('All of it')).toContain(LINE);
    expect(await (await tree.checkpoints()).attributeCommit('HEAD')).toMatchObject({ agent: 2, human: 1, shared: 0 });
  });

  it('a rewind leaves the person’s new file alone', async () => {
    const { tree, user } = await interrupted();
    const checkpoints = await tree.checkpoints();
    const before = await checkpoints.beforeLatestTurn(await checkpoints.list());
    if (!before || !('id' in before)) throw new Error(JSON.stringify(before));
    expect(await checkpoints.rewind(before.id)).toMatchObject({ result: 'rewound' });
    expect(user.read('mine.txt')).toBe('me wrote a new file\n');
    expect(user.git('status', '--porcelain')).toBe('?? mine.txt');
  });

  it('the next turn begins with it, and the interrupted one has its end', async () => {
    const { tree, adds } = await interrupted();
    await tree.prompt('s1', 'again');
    await tree.edits('s1', 'a.txt', () => adds('s1', 'a.txt', 'the third line'));
    await tree.stop('s1');
    const all = await (await tree.checkpoints()).list();
    expect(all.map(({ kind, by }) => `${kind} ${by}`)).toEqual(['prompt human', 'part agent', 'prompt human', 'stop agent']);
    expect(await tree.whose('a.txt')).toEqual([
      's1: s1 wrote the first line',
      'me: me wrote the second line',
      's1: s1 wrote the third line',
    ]);
  });
});

describe('while a call is open', () => {
  it('what it names is the agent’s, and anything else is shared: in blame, in commits, counted', async () => {
    const { tree, user, adds } = begin();
    await tree.prompt('s1');
    const build = await tree.begins('s1', 'shell', { command: 'make > build.txt' });
    adds('s1', 'build.txt', 'what it names');
    adds('s1', 'made.txt', 'what it does not name');
    adds('me', 'mine.txt', 'beside it');
    expect(await tree.whose('build.txt')).toEqual(['s1: s1 wrote what it names']);
    expect(await tree.whose('mine.txt')).toEqual(['shared: me wrote beside it']);
    await tree.ends('s1', build);
    adds('me', 'later.txt', 'after it');
    user.git('add', '-A');
    const message = await tree.commit('Everything');
    expect(message.match(new RegExp(LINE, 'g'))).toHaveLength(1);
    expect(await tree.whose('build.txt')).toEqual(['s1: s1 wrote what it names']);
    expect(await tree.whose('made.txt')).toEqual(['shared: s1 wrote what it does not name']);
    expect(await tree.whose('mine.txt')).toEqual(['shared: me wrote beside it']);
    expect(await tree.whose('later.txt')).toEqual(['me: me wrote after it']);
    expect(await (await tree.checkpoints()).attributeCommit('HEAD')).toMatchObject({ agent: 1, human: 1, shared: 2 });
  });

  it('and the turn is interrupted, all of it is shared until the session is asked again: nobody knows when the call was over', async () => {
    const { tree, adds } = begin();
    await tree.prompt('s1');
    await tree.begins('s1', 'shell', { command: 'make > build.txt' });
    adds('s1', 'build.txt', 'what it names');
    adds('me', 'mine.txt', 'after Esc');
    await tree.prompt('s1', 'again');
    adds('me', 'mine.txt', 'later');
    await tree.stop('s1');
    expect(await tree.whose('build.txt')).toEqual(['shared: s1 wrote what it names']);
    expect(await tree.whose('mine.txt')).toEqual(['shared: me wrote after Esc', 'me: me wrote later']);
  });
});

it('between two calls the person’s edits are the person’s, in files of their own and in the agent’s', async () => {
  const { tree, adds } = begin();
  await tree.prompt('s1');
  for (let round = 1; round <= 3; round++) {
    await tree.edits('s1', 'a.txt', () => adds('s1', 'a.txt', `line ${round} of an edit`));
    adds('me', 'a.txt', `line ${round} in between`);
    await tree.runs('s1', `echo "s1 wrote line ${round} of a command" >> a.txt`);
    adds('me', 'mine.txt', `line ${round}`);
  }
  await tree.stop('s1');
  expect(await tree.whose('a.txt')).toEqual(
    [1, 2, 3].flatMap((round) => [
      `s1: s1 wrote line ${round} of an edit`,
      `me: me wrote line ${round} in between`,
      `s1: s1 wrote line ${round} of a command`,
    ]),
  );
  expect(await tree.whose('mine.txt')).toEqual([1, 2, 3].map((round) => `me: me wrote line ${round}`));
});

it('several agents in one tree each have their lines, and a commit names each session’s checkpoint', async () => {
  const { tree, user, adds } = begin();
  await tree.prompt('s1');
  await tree.prompt('s2');
  const first = await tree.begins('s1', 'edit', { file_path: user.path('a.txt'), content: 's1 wrote one\n' });
  const second = await tree.begins('s2', 'shell', { command: 'echo x >> b.txt' });
  adds('s1', 'a.txt', 'one');
  adds('s2', 'b.txt', 'two');
  adds('me', 'c.txt', 'three');
  await tree.ends('s2', second);
  await tree.ends('s1', first);
  await tree.edits('s2', 'a.txt', () => adds('s2', 'a.txt', 'four'));
  user.git('add', '-A');
  const message = await tree.commit('Both');
  expect(message.match(new RegExp(LINE, 'g'))).toHaveLength(2);
  await tree.stop('s1');
  await tree.stop('s2');
  expect(await tree.whose('a.txt')).toEqual(['s1: s1 wrote one', 's2: s2 wrote four']);
  expect(await tree.whose('b.txt')).toEqual(['s2: s2 wrote two']);
  expect(await tree.whose('c.txt')).toEqual(['shared: me wrote three']);
  const checkpoints = await tree.checkpoints();
  const named = [...message.matchAll(/Piton-Checkpoint: (\w+)/g)].map(([, id]) => id ?? '');
  expect((await Promise.all(named.map((id) => checkpoints.find(id)))).map((one) => one?.session).sort()).toEqual(['s1', 's2']);
});
