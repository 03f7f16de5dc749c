import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRepositories } from '../src/repositories/listed.ts';
import { goneState, worktreeKey } from '../src/repositories/repository.ts';
import { addRepository, followRepository, removeRepository, watchRepositories } from '../src/repositories/watched.ts';

let root: string;
const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });
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

it('one that was moved is followed, with what is known of each of its working trees; a copy is not', () => {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const stateOf = (gitDir: string): string => join(at('home'), 'checkpoints', worktreeKey({ gitDir: at(gitDir) }));
  const parts = ['.git', '.git/worktrees/one-linked'];
  addRepository(at('home'), at('one'));
  for (const part of parts) mkdirSync(stateOf(`one/${part}`), { recursive: true });
  writeFileSync(join(stateOf('one/.git'), 'last.json'), JSON.stringify({ id }));
  git(at('one'), 'update-ref', `refs/piton/checkpoints/${id}`, 'HEAD');
  const watched = watchRepositories(at('home'), statOf);
  cpSync(at('one'), at('copy'), { recursive: true });
  expect([watched.any(), watched.has(at('copy')), watched.has(at('two'))]).toEqual([true, false, false]);
  git(at('one'), 'pack-refs', '--all');
  renameSync(at('one'), at('moved'));
  expect([watched.any(), watched.has(at('moved')), watched.has(at('two'))]).toEqual([true, true, false]);
  expect(readRepositories(at('home'))).toEqual([at('moved')]);
  expect(parts.map((part) => [existsSync(stateOf(`one/${part}`)), existsSync(stateOf(`moved/${part}`))])).toEqual([
    [false, true],
    [false, true],
  ]);
});

it('a copy does not take the place of one whose last checkpoint was deleted, while others are there', () => {
  const [first, last] = ['01ARZ3NDEKTSV4RRFFQ69G5FAT', '01ARZ3NDEKTSV4RRFFQ69G5FAV'];
  const state = join(at('home'), 'checkpoints', worktreeKey({ gitDir: at('one/.git') }));
  addRepository(at('home'), at('one'));
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'last.json'), JSON.stringify({ id: last }));
  for (const id of [first, last]) git(at('one'), 'update-ref', `refs/piton/checkpoints/${id}`, 'HEAD');
  cpSync(at('one'), at('copy'), { recursive: true });
  git(at('one'), 'update-ref', '-d', `refs/piton/checkpoints/${last}`);
  const isFollowed = () => {
    const watched = watchRepositories(at('home'), statOf);
    return watched.any() && watched.has(at('copy'));
  };
  expect(isFollowed()).toBe(false);
  git(at('one'), 'pack-refs', '--all');
  expect(isFollowed()).toBe(false);
  expect([readRepositories(at('home')), existsSync(state)]).toEqual([[at('one')], true]);
});

it('one that was moved is followed also where another was made in its place, which keeps its own state and stays watched', () => {
  const [last, others] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW'];
  const stateOf = (gitDir: string): string => join(at('home'), 'checkpoints', worktreeKey({ gitDir: at(gitDir) }));
  const keep = (state: string, id: string): void => {
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'last.json'), JSON.stringify({ id }));
  };
  addRepository(at('home'), at('one'));
  git(at('one'), 'update-ref', `refs/piton/checkpoints/${last}`, 'HEAD');
  renameSync(at('one'), at('moved'));
  cpSync(at('two'), at('one'), { recursive: true });
  git(at('one'), 'update-ref', `refs/piton/checkpoints/${others}`, 'HEAD');
  keep(goneState(stateOf('one/.git'), last), last);
  keep(stateOf('one/.git'), others);
  keep(stateOf('one/.git/worktrees/one-linked'), last);
  const watched = watchRepositories(at('home'), statOf);
  expect([watched.any(), watched.has(at('moved')), watched.has(at('one'))]).toEqual([true, true, true]);
  expect(readRepositories(at('home'))).toEqual([at('one'), at('moved')]);
  const lastIn = (gitDir: string): string => JSON.parse(readFileSync(join(stateOf(gitDir), 'last.json'), 'utf8')).id;
  expect([lastIn('one/.git'), lastIn('moved/.git'), lastIn('moved/.git/worktrees/one-linked')]).toEqual([others, last, last]);
});

/** One repository with a checkpoint, moved. */
function movedOne() {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const stateOf = (gitDir: string): string => join(at('home'), 'checkpoints', worktreeKey({ gitDir: at(gitDir) }));
  addRepository(at('home'), at('one'));
  mkdirSync(join(stateOf('one/.git'), 'turns'), { recursive: true });
  writeFileSync(join(stateOf('one/.git'), 'last.json'), JSON.stringify({ id }));
  writeFileSync(join(stateOf('one/.git'), 'turns', 's1.json'), '{}');
  git(at('one'), 'update-ref', `refs/piton/checkpoints/${id}`, 'HEAD');
  // The server asks the disk now and then.
  let stale: ReturnType<typeof statOf> | null = null;
  const watched = watchRepositories(at('home'), (path) => {
    stale ??= statOf(path);
    return stale;
  });
  expect(watched.any()).toBe(true);
  renameSync(at('one'), at('moved'));
  return { watched, stateOf };
}

const hasTurn = (state: string): boolean => existsSync(join(state, 'turns', 's1.json'));

it('one that was moved is followed, whichever process is first, and also where that one was killed in the middle', () => {
  const { watched, stateOf } = movedOne();
  const list = join(at('home'), 'repositories');
  const before = readFileSync(list);
  expect(watchRepositories(at('home'), statOf).has(at('moved')) || followRepository(at('home'), at('moved'))).toBe(true);
  // Killed before the list was written: the state lies in its new place.
  writeFileSync(join(stateOf('moved/.git'), 'moved-from'), at('one'));
  writeFileSync(list, before);
  expect(watched.any() && watched.has(at('moved'))).toBe(true);
  expect([readRepositories(at('home')), hasTurn(stateOf('moved/.git'))]).toEqual([[at('moved')], true]);
  expect(existsSync(join(stateOf('moved/.git'), 'moved-from'))).toBe(false);
});

it('one that another process has followed since this one read the list is watched at once', () => {
  const { watched, stateOf } = movedOne();
  expect(watched.any()).toBe(true);
  followRepository(at('home'), at('moved'));
  expect(watched.has(at('moved'))).toBe(true);
  expect(hasTurn(stateOf('moved/.git'))).toBe(true);
});

it('what was still at work when it was moved does not keep its state from following', () => {
  const { stateOf } = movedOne();
  mkdirSync(stateOf('moved/.git'), { recursive: true });
  writeFileSync(join(stateOf('moved/.git'), 'suspects.json'), '{}');
  expect(followRepository(at('home'), at('moved'))).toBe(true);
  expect(hasTurn(stateOf('moved/.git'))).toBe(true);
});

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
