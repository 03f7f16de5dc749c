import { describe, expect, it } from 'vitest';
import { madeOf } from '../src/authors/announced.ts';
import type { Scratch } from './scratch.ts';
import { scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

/** How a call says what it is about to do to `a.txt`, which is `a` and becomes `b`. */
const CALLS = {
  'a Write': ['edit', (path: string) => ({ file_path: path, content: 'one\nfrom the call\n' })],
  'an Edit': ['edit', (path: string) => ({ file_path: path, old_string: 'two\n', new_string: 'from the call\n' })],
  'several edits': [
    'edit',
    (path: string) => ({
      file_path: path,
      edits: [
        { old_string: 'two', new_string: 'three' },
        { old_string: 'three', new_string: 'from the call' },
      ],
    }),
  ],
  'an edit of a form that nobody knows': ['edit', (path: string) => ({ file_path: path, vim: 'Gccfrom the call' })],
  'a command that names the file': ['shell', () => ({ command: 'sed -i "s/two/from the call/" a.txt' })],
} as const;
type Name = keyof typeof CALLS;

/** Who looks after Esc, where nobody has heard that the call is over. */
const NEXT = {
  'the session is asked again': (tree: SharedTree) => tree.prompt('one', 'again'),
  'the session ends': (tree: SharedTree) => tree.leave('one'),
  'the turn goes on and stops': (tree: SharedTree) => tree.stop('one'),
  'another session is asked': (tree: SharedTree) => tree.prompt('two'),
  'the person commits': async (tree: SharedTree) => {
    tree.user.git('add', '-A');
    await tree.commit('Mine');
  },
  'nothing happens': async () => {},
  'the session names it again': (tree: SharedTree) => tree.edits('one', 'a.txt', () => {}),
} as const;

async function interrupted(name: Name): Promise<{ user: Scratch; tree: SharedTree }> {
  const user = scratch();
  user.write('a.txt', 'one\ntwo\n');
  user.commit('Base');
  const tree = new SharedTree(user);
  await tree.prompt('one');
  const [kind, input] = CALLS[name];
  await tree.begins('one', kind, input(user.path('a.txt')));
  return { user, tree };
}

/** As long as a command may be at work, what it names is its: nobody can tell that it was interrupted until its turn is over. */
const isStillAtWork = (name: Name, next: keyof typeof NEXT): boolean =>
  CALLS[name][0] === 'shell' && !['the session is asked again', 'the session ends', 'the turn goes on and stops'].includes(next);

const rows = (Object.keys(CALLS) as Name[]).flatMap((name) =>
  (Object.keys(NEXT) as (keyof typeof NEXT)[]).filter((next) => !isStillAtWork(name, next)).map((next) => [name, next] as const),
);

describe('a call that Esc has ended unheard', () => {
  it.each(rows)('%s: what the person writes into its file is not the agent’s, when %s', async (name, next) => {
    const { user, tree } = await interrupted(name);
    user.write('a.txt', 'one\nfrom me\n');
    await NEXT[next](tree);
    expect(await tree.whose('a.txt')).toEqual(['me: one', 'shared: from me']);
  });

  it.each(rows)('%s: also after it has done its work, when %s', async (name, next) => {
    const { user, tree } = await interrupted(name);
    user.write('a.txt', 'one\nfrom the call\nfrom me\n');
    await NEXT[next](tree);
    expect(await tree.whose('a.txt')).toEqual(['me: one', 'shared: from the call', 'shared: from me']);
  });

  it.each(rows)('%s: what it has announced is the agent’s, and nothing else, when %s', async (name, next) => {
    const { user, tree } = await interrupted(name);
    user.write('a.txt', 'one\nfrom the call\n');
    await NEXT[next](tree);
    const isAnnounced = CALLS[name][0] === 'edit' && name !== 'an edit of a form that nobody knows';
    expect(await tree.whose('a.txt')).toEqual(['me: one', `${isAnnounced ? 'one' : 'shared'}: from the call`]);
  });
});

describe('what an edit makes of a file', () => {
  const made = (edits: readonly (readonly [from: string, to: string, all?: true])[], before: string | null) =>
    madeOf({ edits: edits.map(([from, to, all]) => ({ from, to, all: all === true })) }, before === null ? null : Buffer.from(before));

  it.each([
    ['one text', [['b', 'c']], 'abd', 'acd'],
    ['a text that is there twice', [['a', 'c']], 'aba', null],
    ['all of a text that is there twice', [['a', 'c', true]], 'aba', 'cbc'],
    ['a text that is not there', [['x', 'c']], 'aba', null],
    ['a file that is not there', [['x', 'c']], null, null],
    ['what is no pattern', [['b', '$&$1']], 'abd', 'a$&$1d'],
    ['what is not ASCII', [['ö', 'ü']], 'aöd', 'aüd'],
  ] as const)('%s', (_what, edits, before, after) => {
    expect(made(edits, before)?.toString() ?? null).toBe(after);
  });

  it('bytes that are no text stay what they are', () => {
    expect(madeOf({ edits: [{ from: 'b', to: 'c', all: false }] }, Buffer.from([0xff, 0x62, 0xfe]))).toEqual(
      Buffer.from([0xff, 0x63, 0xfe]),
    );
  });
});
