import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statOf } from '@piton/hooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addRepository, removeRepository, watchRepositories } from '../src/checkpoints/repositories.ts';

let root: string;
const at = (name: string): string => join(root, name);
const git = (cwd: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@e', ...args], { cwd, stdio: 'pipe' });

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-repositories-')));
  for (const name of ['one', 'two', 'none']) mkdirSync(at(name));
  for (const name of ['one', 'two']) {
    git(at(name), 'init', '-q');
    git(at(name), 'commit', '-q', '--allow-empty', '-m', 'Begin');
    git(at(name), 'worktree', 'add', '-q', at(`${name}-linked`));
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['one', 'its own directory'],
  ['one-linked', 'a linked one'],
])('a repository is watched in all of its working trees, if `piton init` ran in %s: %s', (name) => {
  addRepository(at('home'), at(name));
  const watched = watchRepositories(at('home'), statOf);
  expect(watched.any()).toBe(true);
  const all = () => ['one', 'one-linked', 'two', 'two-linked', 'none', 'nowhere'].filter((each) => watched.has(at(each)));
  expect(all()).toEqual(['one', 'one-linked']);
  removeRepository(at('home'), at(name));
  expect(watched.any()).toBe(false);
  expect(all()).toEqual([]);
});
