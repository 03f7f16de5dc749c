import { describe, expect, it } from 'vitest';
import { type Scratch, scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

/** What the call makes of the file. */
const MADE = 'a\nfrom the call\n';

/** How a call names the files that it changes. */
const NAMING = {
  'an edit': ['edit', (path: string) => ({ file_path: path, content: MADE })],
  'an edit that does not say what it makes': ['edit', (path: string) => ({ file_path: path })],
  'a command with its name': ['shell', () => ({ command: 'sed -i s/a/b/ src/a.txt' })],
  'a command with its whole path': ['shell', (path: string) => ({ command: `tee ${path}` })],
  'a command with a pattern': ['shell', () => ({ command: 'sed -i s/a/b/ src/*.txt' })],
  'a command with a deep pattern': ['shell', () => ({ command: 'prettier --write **/*.txt' })],
} as const;

/** What tells that it is over: its own end, or that of its turn. With the second nobody knows when it was over. */
const OWN_ENDS = ['its end', 'an end that a hook blocks'];
const ENDS = ['its end', 'an end that a hook blocks', 'the stop of its turn', 'the next prompt', 'the end of its session'] as const;

const isOwnEnd = (end: string): boolean => OWN_ENDS.includes(end);

async function overBy(tree: SharedTree, how: (typeof ENDS)[number], call: Parameters<SharedTree['ends']>[1]): Promise<void> {
  if (how === 'its end') await tree.ends('one', call);
  else if (how === 'an end that a hook blocks') await tree.ends('one', call, { blocked: true });
  else if (how === 'the stop of its turn') await tree.stop('one');
  else if (how === 'the next prompt') await tree.prompt('one', 'again');
  else await tree.leave('one');
}

const BUSY = {
  'git is slow': (tree: SharedTree) => tree.slow.hold(),
  'the server is stalled': (tree: SharedTree) => tree.silence(),
} as const;

async function goesOn(tree: SharedTree): Promise<void> {
  tree.slow.release();
  await tree.answersAgain();
}

function begun(): { user: Scratch; tree: SharedTree } {
  const user = scratch();
  user.write('src/a.txt', 'a\n');
  user.write('src/gone.txt', 'gone\n');
  user.commit('Base');
  return { user, tree: new SharedTree(user) };
}

const ROWS = Object.keys(NAMING).flatMap((naming) =>
  ENDS.flatMap((end) =>
    Object.keys(BUSY).map((busy) => [naming, end, busy] as [keyof typeof NAMING, (typeof ENDS)[number], keyof typeof BUSY]),
  ),
);

describe('what a person does to a file after the call that named it, before anybody looks, is never the call’s', () => {
  it.each(ROWS)('%s, over by %s, while %s', async (naming, end, busy) => {
    const { user, tree } = begun();
    const [kind, input] = NAMING[naming];
    await tree.prompt('one');
    const call = await tree.begins('one', kind, input(user.path('src/a.txt')));
    BUSY[busy](tree);
    user.write('src/a.txt', MADE);
    await overBy(tree, end, call);
    user.write('src/a.txt', 'a\nfrom the call\nfrom me\n');
    user.write('src/new.txt', 'new from me\n');
    await goesOn(tree);
    await tree.stop('one');
    const found = new Map((await tree.authors('src/a.txt')).map(([by, text]) => [text, by]));
    // Of an end that nobody has heard there is a reading; of a turn that was over nobody knows when its call was, but by what it announced.
    const isKnown = isOwnEnd(end) || naming === 'an edit';
    const isRead = busy === 'git is slow' || (isOwnEnd(end) && !naming.includes('pattern'));
    expect(found.get('from the call')).toBe(isKnown && isRead ? 'one' : 'shared');
    expect(['me', 'shared']).toContain(found.get('from me'));
    expect(['me', 'shared']).toContain((await tree.authors('src/new.txt'))[0]?.[0]);
  });
});

it('what a command with a pattern has deleted by its end is its doing, and what came after in that place is not', async () => {
  const { user, tree } = begun();
  user.write('src/gone.txt', 'mine\n');
  await tree.prompt('one');
  const call = await tree.begins('one', 'shell', { command: 'rm src/*.txt' });
  tree.slow.hold();
  user.remove('src/gone.txt');
  await tree.ends('one', call);
  user.write('src/gone.txt', 'mine once more\n');
  tree.slow.release();
  expect(await tree.whose('src/gone.txt')).toEqual(['me: mine once more']);
  const checkpoints = await tree.checkpoints();
  expect(checkpoints.calls().map(({ id }) => id)).toContain(call.stamp);
});

it('of more than can be read at once the rest is shared', async () => {
  const { user, tree } = begun();
  const many = Array.from({ length: 700 }, (_, at) => `many/${at}.txt`);
  for (const name of many) user.write(name, '');
  user.commit('Many');
  await tree.prompt('one');
  const call = await tree.begins('one', 'shell', { command: 'touch many/*.txt' });
  tree.slow.hold();
  for (const name of many) user.write(name, 'from the call\n');
  await tree.ends('one', call);
  user.write('many/new.txt', 'from me\n');
  tree.slow.release();
  expect(await tree.whose('many/new.txt')).not.toEqual(['one: from me']);
  expect((await tree.whose('many/699.txt')).map((each) => each.replace(/^shared|^one/, '…'))).toEqual(['…: from the call']);
});

it('a call of a server that is gone is over with a reading all the same', async () => {
  const { user, tree } = begun();
  await tree.prompt('one');
  const call = await tree.begins('one', 'shell', { command: 'tee src/a.txt' });
  const next = new SharedTree(user);
  user.write('src/a.txt', 'a\nfrom the call\n');
  await next.ends('one', call);
  user.write('src/a.txt', 'a\nfrom the call\nfrom me\n');
  expect(await next.whose('src/a.txt')).toEqual(['me: a', 'one: from the call', 'me: from me']);
});

describe('what a person does as soon as the agent goes on is theirs, however late the thread hears of the end', () => {
  const WAYS = Object.keys(NAMING).flatMap((naming) => ENDS.map((end) => [naming, end] as [keyof typeof NAMING, (typeof ENDS)[number]]));

  it.each(WAYS)('%s, over by %s', async (naming, end) => {
    const { user } = begun();
    const tree = new SharedTree(user, user.root, { apart: true });
    const [kind, input] = NAMING[naming];
    await tree.prompt('one');
    const call = await tree.begins('one', kind, input(user.path('src/a.txt')));
    user.write('src/a.txt', 'a\nfrom the call\n');
    tree.slow.hold(); // whoever is answered does not wait for what follows
    await overBy(tree, end, call);
    user.write('src/a.txt', 'a\nfrom the call\nfrom me\n');
    tree.slow.release();
    await tree.settled();
    await tree.stop('one');
    const caller = isOwnEnd(end) || naming === 'an edit' ? 'one' : 'shared';
    expect(await tree.whose('src/a.txt')).toEqual(['me: a', `${caller}: from the call`, 'me: from me']);
  });

  it('also where the thread that saw the call begin is gone', async () => {
    const { user } = begun();
    const first = new SharedTree(user);
    await first.prompt('one');
    const call = await first.begins('one', 'edit', { file_path: user.path('src/a.txt') });
    user.write('src/a.txt', 'a\nfrom the call\n');
    const next = new SharedTree(user, user.root, { apart: true });
    next.slow.hold();
    await next.ends('one', call);
    user.write('src/a.txt', 'a\nfrom the call\nfrom me\n');
    next.slow.release();
    await next.settled();
    await next.stop('one');
    expect(await next.whose('src/a.txt')).toEqual(['me: a', 'one: from the call', 'me: from me']);
  });

  it('also where that thread hears of nothing until much later: a few small files are read without it', async () => {
    const { user } = begun();
    const tree = new SharedTree(user, user.root, { apart: true, toolPatienceMs: 100 });
    await tree.prompt('one');
    const call = await tree.begins('one', 'edit', { file_path: user.path('src/a.txt') });
    user.write('src/a.txt', 'a\nfrom the call\n');
    const hears = tree.deafen();
    tree.slow.hold();
    await tree.ends('one', call);
    user.write('src/a.txt', 'a\nfrom the call\nfrom me\n');
    tree.slow.release();
    hears();
    await tree.settled();
    await tree.stop('one');
    expect(await tree.whose('src/a.txt')).toEqual(['me: a', 'one: from the call', 'me: from me']);
    expect(tree.problems).toEqual([]);
  });

  it('and is shared with the call where the agent did not wait any longer for that thread', async () => {
    const { user } = begun();
    const next = new SharedTree(user, user.root, { apart: true, toolPatienceMs: 100 });
    await next.prompt('one');
    // With a pattern nobody knows how much there is to be read.
    const call = await next.begins('one', 'shell', { command: 'sed -i s/a/b/ src/*.txt' });
    user.write('src/a.txt', 'a\nfrom the call\n');
    const hears = next.deafen();
    next.slow.hold();
    await next.ends('one', call);
    user.write('src/a.txt', 'a\nfrom the call\nfrom me\n');
    next.slow.release();
    hears();
    await next.settled();
    await next.stop('one');
    expect(await next.whose('src/a.txt')).toEqual(['me: a', 'shared: from the call', 'shared: from me']);
    expect(next.problems).toEqual([expect.stringContaining('went on before the files that its call named were read')]);
  });
});
