import { expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import type { BlameOptions } from '../src/attribution/ignored-commits.ts';
import { UnknownCommit } from '../src/attribution/ignored-commits.ts';
import type { Worktree } from '../src/worktree.ts';
import { commit, turn } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

const CODE = ['function first() {', 'return compute(1, 2, 3);', '}', 'const value = first();'];
const formatted = CODE.map((line) => `    ${line.replaceAll(', ', ',   ')}`);
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

async function authors(user: Scratch, worktree: Worktree, options: BlameOptions): Promise<string[]> {
  const lines = await blameFile(worktree, user.path('code.ts'), undefined, options);
  return (lines ?? []).map(({ by, session }) => (by === 'human' ? 'me' : (session ?? by)));
}

/** An agent writes, a person runs a formatter over all of it, committed or not. */
async function story(howFar: 'committed apart' | 'committed together' | 'not committed') {
  const user = scratch();
  const worktree = await user.worktree();
  await turn(worktree, () => user.write('code.ts', textOf(CODE)));
  if (howFar !== 'committed together') await commit(user, worktree, 'Code');
  user.write('code.ts', textOf([...formatted, 'a line of mine']));
  if (howFar !== 'not committed') await commit(user, worktree, 'Format it');
  return { user, worktree };
}

it.each(['committed apart', 'committed together', 'not committed'] as const)('a formatter takes no line with -w, %s', async (howFar) => {
  const { user, worktree } = await story(howFar);
  expect(await authors(user, worktree, {})).toEqual(['me', 'me', 'me', 'me', 'me']);
  expect(await authors(user, worktree, { ignoreSpace: true })).toEqual(['s1', 's1', 's1', 's1', 'me']);
});

it('a formatter takes no line of a person’s earlier commit with -w: the line says which commit wrote it', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  user.write('code.ts', textOf(CODE));
  const wrote = user.commit('Code');
  user.write('code.ts', textOf(formatted));
  const formats = user.commit('Format it');
  const commits = async (options: BlameOptions, rev?: string) =>
    (await blameFile(worktree, user.path('code.ts'), rev, options))?.map((line) => line.commit);
  for (const rev of [undefined, 'HEAD']) {
    expect(await commits({}, rev)).toEqual(CODE.map(() => formats));
    expect(await commits({ ignoreSpace: true }, rev)).toEqual(CODE.map(() => wrote));
  }
});

it('a commit that is ignored takes no line that was there before it', async () => {
  const { user, worktree } = await story('committed apart');
  expect(await authors(user, worktree, { ignoreRevs: ['HEAD'] })).toEqual(['s1', 's1', 's1', 's1', 'me']);
  await expect(authors(user, worktree, { ignoreRevs: ['none'] })).rejects.toThrow(UnknownCommit);
});

it('the commits in .git-blame-ignore-revs are ignored, unless that is not wanted; what is no commit there does not matter', async () => {
  const { user, worktree } = await story('committed apart');
  const list = `# formatting\n${user.git('rev-parse', 'HEAD')} # all of it\n\nnonsense\n${'1'.repeat(40)}\n${user.git('rev-parse', 'HEAD:code.ts')}\n`;
  user.write('.git-blame-ignore-revs', list);
  expect(await authors(user, worktree, {})).toEqual(['s1', 's1', 's1', 's1', 'me']);
  expect(await authors(user, worktree, { ignoreRevsFile: false })).toEqual(['me', 'me', 'me', 'me', 'me']);
  user.write('elsewhere', 'none\n');
  expect(await authors(user, worktree, { ignoreRevsFile: user.path('elsewhere') })).toEqual(['me', 'me', 'me', 'me', 'me']);
});
