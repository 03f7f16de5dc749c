import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { repositoryOf } from '../src/repository.ts';

let root: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' });
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-repo-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('finds the repository and the branch from deep inside, before the first commit too', () => {
  git(root, 'init', '-q', '-b', 'feature/one');
  const deep = join(root, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  expect(repositoryOf(deep)).toEqual({ root, branch: 'feature/one' });
});

it('knows a detached HEAD and a linked worktree', () => {
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'one');
  git(root, 'worktree', 'add', '-q', '-b', 'side', join(root, 'tree'));
  expect(repositoryOf(join(root, 'tree'))).toEqual({ root: join(root, 'tree'), branch: 'side' });
  git(root, 'checkout', '-q', '--detach');
  expect(repositoryOf(root)).toEqual({ root, branch: null });
});

it('is null outside of any repository, and for a directory that is gone or has no path', () => {
  expect(repositoryOf('/')).toBeNull();
  expect(repositoryOf('')).toBeNull();
  expect(repositoryOf('/a\0b')).toBeNull();
  expect(repositoryOf(`/${'x'.repeat(5000)}`)).toBeNull();
});

it.each([
  ['a device', '.git', () => symlinkSync('/dev/zero', join(root, '.git'))],
  ['a pipe', '.git/HEAD', () => execFileSync('mkfifo', [join(root, '.git', 'HEAD')])],
] as const)('reads no line out of %s', (_, path, put) => {
  if (path !== '.git') mkdirSync(join(root, '.git'));
  put();
  expect(repositoryOf(root)).toEqual({ root, branch: null });
});
