import { describe, expect, it } from 'vitest';
import { type Scratch, scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

/** A server that was busy when it fell silent: what it has read itself and what stand-ins kept later are both in the line. */
function begun(): { user: Scratch; tree: SharedTree } {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  return { user, tree: new SharedTree(user) };
}

async function goesOn(tree: SharedTree): Promise<void> {
  tree.slow.release();
  await tree.answersAgain();
}

const edit = (user: Scratch) => ({ file_path: user.path('a.txt') });

describe('each look takes a file as the first event behind it has read it, whoever did', () => {
  it('the server before an edit, and a stand-in after it', async () => {
    const { user, tree } = begun();
    await tree.prompt('one', 'first');
    tree.slow.hold();
    await tree.stop('one');
    await tree.prompt('one', 'second');
    const call = await tree.begins('one', 'edit', edit(user));
    tree.silence();
    user.write('a.txt', 'a\nfrom the call\n');
    await tree.ends('one', call);
    await tree.stop('one');
    await goesOn(tree);
    expect(await tree.whose('a.txt')).toEqual(['me: a', 'one: from the call']);
    await tree.prompt('one', 'third');
    expect(await tree.whose('a.txt')).toEqual(['me: a', 'one: from the call']);
    const checkpoints = await tree.checkpoints();
    expect(await checkpoints.rewind(call.stamp, {})).toMatchObject({ result: 'rewound', written: ['a.txt'] });
    expect(user.read('a.txt')).toBe('a\n');
  });

  it('the server before an edit, and a stand-in before the next', async () => {
    const { user, tree } = begun();
    await tree.prompt('one');
    tree.slow.hold();
    await tree.prompt('two');
    const call = await tree.begins('one', 'edit', edit(user));
    user.write('a.txt', 'a\nfrom the call\n');
    await tree.ends('one', call);
    tree.silence();
    const next = await tree.begins('two', 'edit', edit(user));
    user.write('a.txt', 'a\nfrom the call\nfrom the next\n');
    await tree.ends('two', next);
    await goesOn(tree);
    await tree.stop('one');
    expect(await tree.whose('a.txt')).toEqual(['me: a', 'one: from the call', 'two: from the next']);
  });

  it('a stand-in before an edit, and the server after it', async () => {
    const { user, tree } = begun();
    await tree.prompt('one');
    tree.slow.hold();
    await tree.stop('one');
    await tree.prompt('one', 'second');
    tree.silence();
    const call = await tree.begins('one', 'edit', edit(user));
    user.write('a.txt', 'a\nfrom the call\n');
    await tree.answersAgain();
    await tree.ends('one', call);
    user.write('a.txt', 'a\nfrom the call\nfrom me\n');
    await goesOn(tree);
    expect(await tree.whose('a.txt')).toEqual(['me: a', 'one: from the call', 'me: from me']);
  });

  it('the server at the end of an edit, and nobody at the stop after it', async () => {
    const { user, tree } = begun();
    await tree.prompt('one');
    const call = await tree.begins('one', 'edit', edit(user));
    user.write('a.txt', 'a\nfrom the call\n');
    tree.slow.hold();
    await tree.ends('one', call);
    tree.silence();
    await tree.stop('one');
    await goesOn(tree);
    expect(await tree.whose('a.txt')).toEqual(['me: a', 'one: from the call']);
  });

  it('nobody at the end of a command, and the server at the next prompt', async () => {
    const { user, tree } = begun();
    await tree.prompt('one');
    const call = await tree.begins('one', 'shell', { command: 'sed -i s/a/b/ *.txt' });
    user.write('a.txt', 'a\nfrom the call\n');
    tree.slow.hold();
    tree.silence();
    await tree.ends('one', call);
    user.write('a.txt', 'a\nfrom the call\nfrom me\n');
    await tree.answersAgain();
    await tree.prompt('one', 'again');
    await goesOn(tree);
    expect(await tree.whose('a.txt')).not.toContain('one: from me');
  });
});
