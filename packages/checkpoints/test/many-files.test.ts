import { describe, expect, it } from 'vitest';
import { lookBefore } from '../src/images/look.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { StatusParser } from '../src/snapshot/status.ts';
import { take } from '../src/snapshot/take.ts';
import { UntrackedFiles } from '../src/snapshot/untracked-files.ts';
import type { Worktree } from '../src/worktree.ts';
import { ABOUT, agentTurn } from './agent-turn.ts';
import { type Scratch, scratch } from './scratch.ts';

const names = (folder: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${folder}${at}.txt`);

const among = (most: number, paths: readonly string[]) => {
  const list = new UntrackedFiles(most);
  for (const path of paths) list.add(path);
  return { kept: [...list.kept], leftOut: list.leftOut().map(({ path, files }) => [path, files]) };
};

describe('untracked files up to a limit', () => {
  it.each<[string, readonly string[], readonly string[], readonly (readonly [string, number])[]]>([
    ['just fit', names('a/', 10), names('a/', 10), []],
    ['too many in one folder: it goes, under its name', [...names('a/', 3), ...names('big/', 50)], names('a/', 3), [['big', 50]]],
    [
      'too many, and then others: those are kept',
      [...names('big/', 50), ...names('z/', 3), 'top'],
      [...names('z/', 3), 'top'],
      [['big', 50]],
    ],
    ['deep in a folder that holds others', [...names('src/', 2), ...names('src/gen/deep/', 40)], names('src/', 2), [['src/gen/deep', 40]]],
    ['spread over a folder: its folders go with it', names('c/', 5).flatMap((one) => names(`${one}/`, 4)), [], [['c', 20]]],
    [
      'in two folders',
      [...names('a/', 30), ...names('b/', 30), 'c'],
      ['c'],
      [
        ['a', 30],
        ['b', 30],
      ],
    ],
    ['at the top: so many as there is room for', names('', 15), names('', 10), [['.', 5]]],
  ])('%s', (_name, paths, kept, leftOut) => {
    expect(among(10, paths)).toEqual({ kept, leftOut });
    expect(among(10, [...paths].reverse()).leftOut.reduce((sum, [, files]) => sum + Number(files), 0)).toBe(paths.length - kept.length);
  });

  it('never holds more than that, however they are spread, and counts them all', () => {
    for (const shape of [
      (at: number) => `${at}/x`,
      (at: number) => `${at}`,
      (at: number) => `d/${at % 7}/${at}/y`,
      (at: number) => `${at % 900}/${at}`,
    ]) {
      const list = new UntrackedFiles(100);
      for (let at = 0; at < 5000; at++) {
        list.add(shape(at));
        expect(list.kept.length).toBeLessThanOrEqual(100);
      }
      expect(list.leftOut().length).toBeLessThanOrEqual(201);
      expect(list.kept.length + list.leftOut().reduce((sum, { files = 0 }) => sum + files, 0)).toBe(5000);
    }
  });

  it('are read as git says them, wherever its output is cut', () => {
    const text = Buffer.from('1 .M N... 100644 100644 100644 a b tracked name\0? new\0? inner/\0? d/\xff\0', 'latin1');
    for (let at = 0; at <= text.length; at++) {
      const parser = new StatusParser(10);
      parser.push(text.subarray(0, at));
      parser.push(text.subarray(at));
      const { entries, innerRepositories } = parser.status();
      expect(entries.map(({ path }) => path)).toEqual(['tracked name', 'new', 'd/\xff']);
      expect(innerRepositories).toEqual(['inner']);
    }
  });
});

describe('a folder with too many files', () => {
  const few = async (user: Scratch): Promise<Worktree> =>
    user.worktree({ limits: { ...(await user.worktree()).limits, untrackedFiles: 10 } });
  const fill = (user: Scratch, folder: string, count: number): void => {
    for (const name of names(folder, count)) user.write(name, `${name}\n`);
  };
  const big = { path: 'src/big', reason: 'too-many', bytes: 0, files: 30 };

  it('is left out by name, and everything else is kept and comes back', async () => {
    const user = scratch();
    const worktree = await few(user);
    fill(user, 'src/big/', 30);
    user.write('mine.txt', 'mine\n');
    user.write('src/main.ts', 'changed\n');
    const id = await agentTurn(worktree, () => user.shell('rm -r mine.txt src/main.ts src/big/1.txt; echo new > new.txt'));
    const plan = await planRewind(worktree, id);
    expect(plan).toMatchObject({ leftOut: [big] });
    expect(await rewind(worktree, id)).toMatchObject({ written: ['mine.txt', 'src/main.ts'], deleted: ['new.txt'] });
    expect([user.read('mine.txt'), user.read('src/main.ts')]).toEqual(['mine\n', 'changed\n']);
    const image = await lookBefore(worktree, 't');
    expect(image.wayBack.skipped).toEqual([{ ...big, files: 29 }]);
  });

  it('loses nothing when it has become small since: what the checkpoint does not know it does not delete', async () => {
    const user = scratch();
    const worktree = await few(user);
    fill(user, 'src/big/', 30);
    const id = await agentTurn(worktree, () => user.shell('cd src/big && rm $(ls | head -25)'));
    const left = [...user.everything().keys()].filter((name) => name.startsWith('src/big/'));
    expect(left).toHaveLength(5);
    for (const options of [{}, { everything: true }, { paths: ['src'] }]) {
      expect(await rewind(worktree, id, options)).toMatchObject({ deleted: [] });
      expect([...user.everything().keys()].filter((name) => name.startsWith('src/big/'))).toEqual(left);
    }
  });

  it('loses nothing when it has become large since: what was there comes back, and what is there stays', async () => {
    const user = scratch();
    const worktree = await few(user);
    fill(user, 'src/big/', 3);
    const id = await agentTurn(worktree, () => {
      user.write('src/big/0.txt', 'over\n');
      user.remove('src/big/1.txt');
      for (const name of names('src/big/more-', 30)) user.write(name, 'more\n');
    });
    await rewind(worktree, id);
    expect(user.read('src/big/1.txt')).toBe('src/big/1.txt\n');
    expect([...user.everything().keys()].filter((name) => name.startsWith('src/big/more-'))).toHaveLength(30);
  });

  it('is no change of its files, and one checkpoint says that it was left out', async () => {
    const user = scratch();
    const worktree = await few(user);
    fill(user, 'src/big/', 3);
    await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' });
    fill(user, 'src/big/', 30);
    const taken = await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' });
    expect(taken).toMatchObject({ result: 'made', changes: [], checkpoint: { skipped: [big] } });
    expect(await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' })).toMatchObject({ result: 'unchanged' });
  });

  it('has in it what a call named', async () => {
    const user = scratch();
    const worktree = await few(user);
    fill(user, 'src/big/', 30);
    const id = await agentTurn(worktree, () => {});
    const named = user.path('src/big/7.txt');
    await take(worktree, { ...ABOUT, kind: 'todo', by: 'agent', touched: [named] });
    user.write('src/big/7.txt', 'over\n');
    const last = await take(worktree, { ...ABOUT, kind: 'todo', by: 'agent', touched: [named] });
    expect(last).toMatchObject({ result: 'made', changes: [{ path: 'src/big/7.txt' }] });
    expect(id).not.toBe('');
  });
});
