import { symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { unblamable } from '../src/attribution/unblamable.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { type Scratch, scratch } from './scratch.ts';

const ABOUT = { name: 'Write', session: 's1', agent: 'someone', turn: 't1', kind: 'stop', by: 'agent' } as const;

/** Everything that somebody may ask about, in one repository: an agent's work after a checkpoint. */
async function stage(): Promise<{ user: Scratch; worktree: Worktree }> {
  const user = scratch();
  const library = scratch();
  user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'library');
  user.write('tracked.bin', Buffer.from([0, 1, 2]));
  symlinkSync('src/main.ts', user.path('tracked-link'));
  user.commit('with a library');
  const worktree = await user.worktree();
  await take(worktree, { ...ABOUT, kind: 'prompt', by: 'human' });
  user.write('picture.bin', Buffer.from([0, 255, 13]));
  user.write('dos.txt', 'agent one\r\nagent two\r\n');
  user.write('empty.txt', '');
  user.write('grüße.txt', 'schöne Grüße\n');
  user.write('ignored/cache', 'cache\n');
  user.write('.env', 'TOKEN=1\n');
  symlinkSync(`${user.home}/secret`, user.path('way-out'));
  user.shell('echo secret > "$HOME/secret"; mkfifo pipe; git init --quiet inner; echo x > inner/x.txt');
  await take(worktree, ABOUT);
  return { user, worktree };
}

it('what has no lines, or none of ours, is named for what it is', async () => {
  const { user, worktree } = await stage();
  const asked = async (file: string, rev?: string) => [
    await unblamable(worktree, file.startsWith('/') ? file : user.path(file), rev),
    await blameFile(worktree, user.path(file), rev),
  ];
  expect(await asked('nothing.txt')).toEqual(['missing', null]);
  expect(await asked('src')).toEqual(['directory', null]);
  expect(await asked('.')).toEqual(['directory', null]);
  expect(await asked('library')).toEqual(['submodule', null]);
  expect(await asked('library/README.md')).toEqual(['other-repository', null]);
  expect(await asked('inner/x.txt')).toEqual(['other-repository', null]);
  expect(await asked('picture.bin')).toEqual(['binary', null]);
  expect(await asked('tracked.bin')).toEqual(['binary', null]);
  expect(await asked('ignored/cache')).toEqual(['ignored', null]);
  expect(await asked('.env')).toEqual(['left-out', null]);
  expect(await asked('pipe')).toEqual(['special', null]);
  expect(await unblamable(worktree, `${user.home}/secret`)).toBe('outside');
  expect(await unblamable(worktree, user.path('.git/config'))).toBe('outside');
  expect(await asked('README.md', 'no-such-branch')).toEqual(['no-such-commit', null]);
  expect(await asked('README.md', `--contents=${user.home}/secret`)).toEqual(['no-such-commit', null]);
  expect(await asked('src', 'HEAD')).toEqual(['directory', null]);
  expect(await asked('library', 'HEAD')).toEqual(['submodule', null]);
  expect(await asked('tracked.bin', 'HEAD')).toEqual(['binary', null]);
  expect(await asked('dos.txt', 'HEAD')).toEqual(['missing', null]);
});

it('a link is its own target and never what lies there, and line ends of either kind make lines', async () => {
  const { user, worktree } = await stage();
  const lines = async (file: string) => {
    expect(await unblamable(worktree, user.path(file))).toBe(null);
    return (await blameFile(worktree, user.path(file)))?.map(({ text, by }) => `${by}: ${text}`);
  };
  expect(await lines('way-out')).toEqual([`agent: ${user.home}/secret`]);
  expect(await lines('tracked-link')).toEqual(['human: src/main.ts']);
  expect(await lines('dos.txt')).toEqual(['agent: agent one', 'agent: agent two']);
  expect(await lines('grüße.txt')).toEqual(['agent: schöne Grüße']);
  expect(await lines('empty.txt')).toEqual([]);
  user.git('config', 'core.autocrlf', 'true');
  user.git('add', 'dos.txt');
  user.git('commit', '--quiet', '-m', 'with CRs');
  expect(await lines('dos.txt')).toEqual(['agent: agent one', 'agent: agent two']);
});

it('where git itself fails, a committed file is not taken for a new one', async () => {
  const { user } = await stage();
  user.git('config', 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
  const worktree = await user.worktree();
  await expect(blameFile(worktree, user.path('src/main.ts'))).rejects.toThrow('.git-blame-ignore-revs');
  await expect(blameFile(worktree, user.path('src/main.ts'), 'HEAD')).rejects.toThrow('.git-blame-ignore-revs');
});
