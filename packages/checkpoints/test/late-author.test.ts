import { expect, test } from 'vitest';
import { scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

/** What a call did before the server learned of it, whose that is, and who may have done what comes after its end. */
const CALLS = [
  { kind: 'edit', input: (path: string) => ({ file_path: path }), writer: 'one' },
  // Somebody else may have changed the file just before: nobody has looked.
  { kind: 'shell', input: (path: string) => ({ command: `make > ${path}` }), writer: 'shared' },
  { kind: 'shell', input: () => ({ command: 'make' }), writer: 'shared' },
] as const;
const ENDS = ['in time', 'late'] as const;

test.each(CALLS.flatMap((call) => ENDS.map((end) => ({ ...call, end }))))(
  'the work of a late call ($kind, $writer) whose end is reported $end is not the person’s, and theirs is after it',
  async ({ kind, input, writer, end }) => {
    const user = scratch();
    user.write('a.txt', 'a\n');
    user.write('b.txt', 'b\n');
    user.commit('Base');
    const tree = new SharedTree(user);
    await tree.prompt('one');
    user.write('a.txt', 'a\nfrom me, just before\n');
    tree.silence();
    const call = await tree.begins('one', kind, input(user.path('a.txt')));
    user.write('a.txt', 'a\nfrom me, just before\nfrom the call\n');
    if (end === 'in time') await tree.answersAgain();
    await tree.ends('one', call);
    await tree.answersAgain();
    user.write('b.txt', 'b\nfrom me\n');
    await tree.stop('one');
    const before = writer === 'shared' ? 'shared' : 'me';
    expect(await tree.whose('a.txt')).toEqual(['me: a', `${before}: from me, just before`, `${writer}: from the call`]);
    expect(await tree.whose('b.txt')).toEqual(['me: b', 'me: from me']);
  },
);

test('the calls of a turn whose prompt was late are followed from then on', async () => {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.write('b.txt', 'b\n');
  user.write('c.txt', 'c\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  await tree.prompt('one');
  await tree.stop('one');
  user.write('c.txt', 'c\nnobody can tell\n');
  await tree.late.prompt('one');
  await tree.edits('one', 'a.txt', () => user.write('a.txt', 'a\nfrom the call\n'));
  user.write('b.txt', 'b\nfrom me\n');
  await tree.stop('one');
  expect(await tree.whose('a.txt')).toEqual(['me: a', 'one: from the call']);
  expect(await tree.whose('b.txt')).toEqual(['me: b', 'me: from me']);
  expect(await tree.whose('c.txt')).toEqual(['me: c', 'shared: nobody can tell']);
});

test('a late call of a turn that is over opens nothing', async () => {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  await tree.prompt('one');
  await tree.stop('one');
  await tree.late.begins('one', 'shell', { command: 'make' });
  user.write('a.txt', 'a\nfrom me\n');
  await tree.prompt('two');
  expect(await tree.whose('a.txt')).toEqual(['me: a', 'me: from me']);
});

test('a late prompt of one session leaves another’s open edit whose it is', async () => {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  await tree.prompt('one');
  await tree.prompt('two');
  await tree.begins('two', 'edit', { file_path: user.path('a.txt'), content: 'a\nfrom two\n' });
  user.write('a.txt', 'a\nfrom two\n');
  user.write('b.txt', 'nobody can tell\n');
  await tree.late.prompt('one');
  expect(await tree.whose('a.txt')).toEqual(['me: a', 'two: from two']);
  expect(await tree.whose('b.txt')).toEqual(['shared: nobody can tell']);
});

test('what the open call of a turn without a way back has changed is not the person’s at the next prompt', async () => {
  const user = scratch();
  user.write('a.txt', 'a\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  await tree.late.prompt('one');
  await tree.begins('one', 'shell', { command: 'make' });
  user.write('a.txt', 'a\nfrom the call\n');
  // Esc; nobody reports its end.
  await tree.prompt('one', 'again');
  expect(await tree.whose('a.txt')).toEqual(['me: a', 'shared: from the call']);
});
