import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '@piton/git';
import { describe, expect, it } from 'vitest';
import { readHead } from '../src/repositories/repository.ts';
import { allEntries, changedEntries, listedPart } from '../src/snapshot/index-entries.ts';
import { privateIndex } from '../src/snapshot/private-index.ts';
import { readStatus } from '../src/snapshot/status.ts';
import { readSuspects } from '../src/snapshot/suspects.ts';
import type { Worktree } from '../src/worktree.ts';
import { seededRandom } from './random.ts';
import { emptyScratch, type Scratch, scratch } from './scratch.ts';

const look = async (worktree: Worktree) => readStatus(worktree, (await readHead(worktree.git, worktree.repository)).commit);

/** What a look says, in an order of its own. */
async function found(worktree: Worktree): Promise<string[]> {
  const { entries, innerRepositories } = await look(worktree);
  const kind = ({ untracked, submodule }: (typeof entries)[number]) => (untracked ? 'untracked' : submodule ? 'submodule' : 'tracked');
  return [...entries.map((entry) => `${kind(entry)} ${entry.path}`), ...innerRepositories.map((path) => `inner ${path}`)].sort();
}

/** Git's own word, with an index that was made this moment and has no cache: all is read anew. */
function expected(user: Scratch): string[] {
  const index = join(user.home, 'oracle-index');
  const env = { ...user.environment(), GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: '0' };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: user.root, env, encoding: 'latin1' });
  const hasHead = user.shell('git rev-parse --quiet --verify HEAD || :') !== '';
  const inHead = new Set(hasHead ? git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0').filter(Boolean) : []);
  git('read-tree', ...(hasHead ? ['HEAD'] : ['--empty']));
  const staged = new Map<string, string>();
  for (const line of Buffer.from(user.git('ls-files', '--stage', '-z'))
    .toString('latin1')
    .split('\0')
    .filter(Boolean)) {
    const path = line.slice(line.indexOf('\t') + 1);
    if (!inHead.has(path)) staged.set(path, line.startsWith('160000') ? 'submodule' : 'tracked');
  }
  const listed = git(
    '-c',
    'core.untrackedCache=false',
    'status',
    '--porcelain=v2',
    '-z',
    '-uall',
    '--no-renames',
    '--ignore-submodules=dirty',
  );
  const lines = listed
    .split('\0')
    .filter(Boolean)
    .flatMap((line) => {
      if (!line.startsWith('?'))
        return [`${line.split(' ')[2]?.startsWith('S') ? 'submodule' : 'tracked'} ${line.split(' ').slice(8).join(' ')}`];
      const path = line.slice(2);
      const name = path.replace(/\/$/, '');
      return staged.has(name) ? [] : [`${name === path ? 'untracked' : 'inner'} ${name}`];
    });
  return [...lines, ...[...staged].map(([path, kind]) => `${kind} ${path}`)].sort();
}

function counting(worktree: Worktree): { readonly worktree: Worktree; readonly started: string[] } {
  const started: string[] = [];
  const git: Git = (args, options) => {
    started.push(args.find((arg) => arg !== '-c' && !arg.includes('=')) ?? '');
    return worktree.git(args, options);
  };
  return { worktree: { ...worktree, git }, started };
}

describe('a look with an index of our own', () => {
  it.each([1, 2, 3, 4, 5, 6])('finds what git finds without any cache, whatever was done in between (seed %i)', async (seed) => {
    const user = seed % 3 === 0 ? emptyScratch() : scratch();
    const worktree = await user.worktree();
    const dice = seededRandom(seed * 7919);
    const some = (...names: string[]): string => names[dice(names.length)] ?? '';
    const name = () => `${some('', 'a/', 'a/b/', 'src/', 'ignored/')}${some('x', 'y', 'z w', 'ü')}${some('.ts', '.log', '')}`;
    const quietly = (...args: string[]) => user.shell(`git ${args.join(' ')} >/dev/null 2>&1 || :`);
    const moves: (() => void)[] = [
      () => user.write(name(), `${dice(4)}\n`),
      () => user.write(name(), `${dice(4)}\n`),
      () => user.remove(name()),
      () => user.remove(some('a', 'a/b')),
      () => quietly('add', '-A'),
      () => quietly('add', '-f', `'${name()}'`),
      () => quietly('add', '-N', `'${name()}'`),
      () => quietly('rm', '-r', '--cached', '.'),
      () => quietly('rm', '--cached', `'${name()}'`),
      () => quietly('commit', '-am', 'x'),
      () => quietly('commit', '-m', 'x'),
      () => quietly('reset', '--soft', 'HEAD~1'),
      () => quietly('reset', '--hard', some('HEAD', 'HEAD~1')),
      () => quietly('checkout', '-B', some('one', 'two')),
      () => quietly('update-index', '--assume-unchanged', `'${name()}'`),
      () => quietly('update-index', '--skip-worktree', `'${name()}'`),
      () => user.write('.gitignore', some('ignored/\n', '*.log\n', 'a/b\n', '')),
      () => user.write(`${some('a/', '')}.gitignore`, some('*.ts\n', '')),
      () => user.shell('git init -q inner 2>/dev/null; cd inner && git commit -q --allow-empty -m x'),
      () => user.shell('mkdir -p src; rm -rf a; ln -s src a 2>/dev/null || :'),
      () => user.shell('rm -f a/b; mkdir -p a 2>/dev/null; touch -d 2001-01-01 a 2>/dev/null || :'),
      () => quietly('stash'),
    ];
    for (let step = 0; step < 40; step++) {
      moves[dice(moves.length)]?.();
      // Not each time: what two moves did within one second is to be seen as well.
      if (dice(3) > 0) expect(await found(worktree), `after step ${step}`).toEqual(expected(user));
    }
    expect(await found(worktree)).toEqual(expected(user));
  });

  it('takes the files of a merge with conflicts for tracked', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.git('checkout', '--quiet', '-b', 'other');
    user.write('both.ts', 'theirs\n');
    user.write('src/main.ts', 'theirs\n');
    user.commit('theirs');
    user.git('checkout', '--quiet', 'main');
    user.write('both.ts', 'ours\n');
    user.write('src/main.ts', 'ours\n');
    user.commit('ours');
    user.shell('git merge other >/dev/null 2>&1 || :');
    expect(await found(worktree)).toEqual(['tracked both.ts', 'tracked src/main.ts']);
  });

  it('knows a submodule that is only staged, and does not take it for a repository of its own', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.shell('git init -q lib && git -C lib commit -q --allow-empty -m x && git add lib 2>/dev/null');
    expect(await found(worktree)).toEqual(['submodule lib']);
  });

  it('costs one git where nothing was staged or committed since the last, one more after a `git add`, two more after a commit', async () => {
    const user = scratch();
    const { worktree, started } = counting(await user.worktree());
    const gitsAfter = async (work: () => void): Promise<string[]> => {
      work();
      started.length = 0;
      await look(worktree);
      return started;
    };
    await look(worktree);
    expect(await gitsAfter(() => user.write('new.ts', 'x\n'))).toEqual(['status']);
    expect(await gitsAfter(() => user.git('add', 'new.ts'))).toEqual(['diff-index', 'status']);
    expect(await gitsAfter(() => user.git('commit', '--quiet', '-m', 'x'))).toEqual(['read-tree', 'diff-index', 'status']);
    expect(await gitsAfter(() => {})).toEqual(['status']);
  });

  it('keeps the untracked cache when HEAD moves, and has no second half anywhere', async () => {
    const user = scratch();
    user.git('config', 'core.splitIndex', 'true');
    user.git('config', 'core.untrackedCache', 'false');
    const worktree = await user.worktree();
    const hasCache = () => readFileSync(join(worktree.state, 'index')).includes('UNTR');
    user.write('a/one.ts', 'x\n');
    await look(worktree);
    expect(hasCache()).toBe(true);
    user.commit('one');
    const { started, worktree: counted } = counting(worktree);
    await look(counted);
    expect(started).toContain('read-tree');
    expect(hasCache()).toBe(true);
    const halves = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('sharedindex'));
    expect(halves(worktree.state)).toEqual([]);
    const beforeUs = halves(join(user.root, '.git'));
    await look(worktree);
    expect(halves(join(user.root, '.git'))).toEqual(beforeUs);
  });

  it('goes on where a killed git left its lock, and where what is there is no index', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await look(worktree);
    writeFileSync(join(worktree.state, 'index.lock'), '');
    user.write('src/new.ts', 'x\n');
    user.commit('moved');
    user.write('src/new.ts', 'y\n');
    expect(await found(worktree)).toEqual(['tracked src/new.ts']);
    expect(existsSync(join(worktree.state, 'index.lock'))).toBe(false);
    writeFileSync(join(worktree.state, 'index'), 'no index');
    expect(await found(worktree)).toEqual(['tracked src/new.ts']);
  });

  it('stays as old as it was when HEAD moves: only by that does git know which folders to doubt', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const { index } = await look(worktree);
    user.shell(`touch -d '2020-02-02 02:02:02' '${index}'`);
    const before = statSync(index);
    user.write('src/new.ts', 'x\n');
    const head = user.commit('moved');
    await privateIndex(worktree.git, worktree.repository, worktree.state, head);
    expect(statSync(index)).toMatchObject({ mtimeMs: before.mtimeMs });
    expect(statSync(index).ino).not.toBe(before.ino);
  });

  it('sees what the user’s index hides', async () => {
    const user = scratch();
    user.git('update-index', '--assume-unchanged', 'README.md');
    user.git('update-index', '--skip-worktree', 'src/main.ts');
    user.write('README.md', 'another\n');
    user.write('src/main.ts', 'another\n');
    expect(await found(await user.worktree())).toEqual(['tracked README.md', 'tracked src/main.ts']);
  });

  it('is as old as the beginning of the look that wrote it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const slow: Worktree = {
      ...worktree,
      git: async (args, options) => {
        const done = await worktree.git(args, options);
        // As a large tree would have it: the index is written seconds after the first folder was read.
        if (args.includes('status')) user.shell(`touch -d '+3 seconds' '${join(worktree.state, 'index')}'`);
        return done;
      },
    };
    const began = Math.floor(Date.now() / 1000);
    await look(slow);
    expect(Math.floor(statSync(join(worktree.state, 'index')).mtimeMs / 1000)).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    expect(statSync(join(worktree.state, 'index')).mtimeMs % 1000).toBe(0);
    expect(Math.floor(statSync(join(worktree.state, 'index')).mtimeMs / 1000)).toBeGreaterThanOrEqual(began - 60);
  });
});

describe('the files that an index lists, read without git', () => {
  it.each([20, 32])('are those that git lists, and what changed between two of them is what git says (%i bytes an id)', (hashBytes) => {
    const user = scratch('--object-format', hashBytes === 32 ? 'sha256' : 'sha1');
    const long = `${'long/'.repeat(40)}${'n'.repeat(200)}/${'m'.repeat(200)}.ts`;
    const index = () => readFileSync(user.path('.git/index'));
    const listed = () => listedPart(index(), hashBytes) ?? expect.unreachable('not read');
    const theirs = () =>
      user
        .git('ls-files', '--stage', '-z')
        .split('\0')
        .filter(Boolean)
        .map((line) => line.replace(' 0\t', '\t'));
    const ours = (bytes: Buffer) => allEntries(bytes, hashBytes).map(({ path, entry }) => `${entry.mode} ${entry.oid}\t${path}`);
    expect(ours(listed())).toEqual(theirs());
    const before = Buffer.from(listed());
    user.write(long, 'x\n');
    user.write('src/main.ts', 'other\n');
    user.remove('README.md');
    user.write('zz.ts', 'last\n');
    symlinkSync('src', user.path('link'));
    user.git('add', '-A');
    user.git('add', '-N', '.');
    expect(ours(listed())).toEqual(theirs());
    const changes = changedEntries(before, listed(), hashBytes);
    expect(changes.gone).toEqual(['README.md']);
    expect(changes.changed.map(({ path }) => path).sort()).toEqual(['link', long, 'src/main.ts', 'zz.ts'].sort());
    expect(changedEntries(listed(), listed(), hashBytes)).toEqual({ changed: [], gone: [] });
  });

  it('are not read where the index is in another form', () => {
    const user = scratch();
    user.git('update-index', '--index-version', '4');
    expect(listedPart(readFileSync(user.path('.git/index')), 20)).toBe(null);
    user.git('update-index', '--index-version', '2');
    expect(listedPart(readFileSync(user.path('.git/index')), 20)).not.toBe(null);
    user.git('update-index', '--split-index');
    expect(listedPart(readFileSync(user.path('.git/index')), 20)).toBe(null);
    expect(listedPart(Buffer.from('no index at all'), 20)).toBe(null);
  });
});

describe('files whose bytes may be others than those that git has', () => {
  it('are looked for only among what changed in the index, and are those that a look at all of it finds', async () => {
    const user = scratch();
    user.write('.gitattributes', '*.txt text eol=crlf\n');
    for (let at = 0; at < 20; at++) user.write(`texts/${at}.txt`, `text ${at}\r\n`);
    user.commit('texts');
    const { worktree, started } = counting(await user.worktree());
    const paths = ({ files }: Awaited<ReturnType<typeof readSuspects>>) => files.map(({ path }) => path).sort();
    const again = async () => {
      const { index } = await look(worktree);
      started.length = 0;
      return readSuspects(worktree, index);
    };
    expect(paths(await again())).toHaveLength(20);
    user.write('untracked/one.ts', 'x\n');
    user.write('untracked/.gitignore', '*\n');
    await again();
    expect(started).toEqual([]);
    user.write('texts/new.txt', 'new\r\n');
    user.git('rm', '--quiet', 'texts/0.txt');
    user.commit('more');
    const asked: string[] = [];
    const listening: Worktree = {
      ...worktree,
      git: (args, options) => {
        if (args.includes('cat-file')) asked.push(...String(options.input).trim().split('\n'));
        return worktree.git(args, options);
      },
    };
    const { index } = await look(worktree);
    const incremental = paths(await readSuspects(listening, index));
    expect(asked).toHaveLength(1);
    const fresh: Worktree = { ...(await user.worktree()), state: join(user.home, 'another-state') };
    expect(incremental).toEqual(paths(await readSuspects(fresh, (await look(fresh)).index)));
    expect(incremental).toContain('texts/new.txt');
    expect(incremental).not.toContain('texts/0.txt');
  });
});
