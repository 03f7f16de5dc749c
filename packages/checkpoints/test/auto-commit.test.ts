import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { autoCommit } from '../src/auto-commit/auto-commit.ts';
import { linkCommit } from '../src/links/link.ts';
import { resolveLink } from '../src/links/resolve.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import { takeAtBoundary } from '../src/turns/boundary-checkpoint.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import { about, commitOf, PITON, work } from './auto-commit-setup.ts';
import { emptyScratch, type Scratch, scratch } from './scratch.ts';

/** All that auto-commit must leave alone where it makes none. */
const stateOf = (user: Scratch): string[] => [
  user.git('rev-parse', 'HEAD'),
  user.git('ls-files', '-s'),
  user.git('for-each-ref', 'refs/heads'),
  user.git('status', '--porcelain'),
];

describe('an auto-commit', () => {
  it('leaves a file with a person’s uncommitted lines alone in every turn, not only in the first', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('README.md', 'read me\nmine\n');
    const first = await work(worktree, () => user.write('README.md', 'read me\nmine\nagent\n'));
    expect(await commitOf(worktree, first)).toMatchObject({ result: 'nothing', left: ['README.md'] });
    await endTurn(worktree, 's1');
    const second = await work(worktree, () => user.write('README.md', 'read me\nmine\nagent\nagent again\n'), 't2');
    expect(await commitOf(worktree, second)).toMatchObject({ result: 'nothing', left: ['README.md'] });
    expect(user.git('log', '--format=%s')).toBe('first');
  });

  it('goes by HEAD as the turn found it: what a person committed, or took back, since the last checkpoint', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('README.md', 'mine\n');
    await work(worktree, () => user.write('other.txt', 'agent\n'));
    await endTurn(worktree, 's1');
    user.git('commit', '--quiet', '-m', 'Mine', 'README.md');
    const second = await work(worktree, () => user.write('README.md', 'mine\nagent\n'), 't2');
    expect(await commitOf(worktree, second)).toMatchObject({ result: 'committed', left: [] });
    await endTurn(worktree, 's1');
    user.git('reset', '--quiet', 'HEAD~2');
    const third = await work(worktree, () => user.write('README.md', 'mine\nagent\nagent again\n'), 't3');
    expect(await commitOf(worktree, third)).toMatchObject({ result: 'nothing', left: ['README.md'] });
  });

  it('holds nothing of what a person did while a turn was not at work there', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const first = await work(worktree, () => user.write('agent.txt', 'agent\n'));
    expect(await commitOf(worktree, first)).toMatchObject({ result: 'committed' });
    await endTurn(worktree, 's1');
    user.write('mine.txt', 'mine\n');
    user.write('README.md', 'mine\n');
    const second = await work(worktree, () => user.write('agent.txt', 'agent again\n'));
    expect(await commitOf(worktree, second)).toMatchObject({ result: 'committed', left: [] });
    expect(user.git('show', '--name-only', '--format=', 'HEAD')).toBe('agent.txt');
    expect(
      user
        .git('status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['M README.md', '?? mine.txt']);
  });

  it('holds what the agent left out of a commit of its own', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await work(worktree, () => user.write('before.txt', 'agent\n'), 't0');
    await beginTurn(worktree, about('t1')).done;
    user.write('src/main.ts', 'agent\n');
    user.write('README.md', 'agent\n');
    user.git('commit', '--quiet', '-m', 'By the agent', 'src/main.ts');
    await linkCommit(worktree);
    const taken = await takeAtBoundary(worktree, { ...about('t1'), kind: 'stop', by: 'agent' });
    if (taken.result !== 'made') throw new Error(taken.result);
    expect(await commitOf(worktree, taken.checkpoint)).toMatchObject({ result: 'committed', left: [] });
    expect(user.git('show', '--name-only', '--format=', 'HEAD')).toBe('README.md');
  });

  it('holds the files of the turn, on the branch, in its own name, with the prompt and a link', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('mine.txt', 'mine\n');
    const end = await work(worktree, () => {
      user.write('src/main.ts', 'agent\n');
      user.write('new file.ts', 'new\n', 0o755);
      user.remove('README.md');
    });
    const parent = user.git('rev-parse', 'HEAD');
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed', left: [] });
    await linkCommit(worktree, () => 'someone');
    await endTurn(worktree, 's1');
    expect(user.git('rev-parse', 'main^')).toBe(parent);
    expect(user.git('show', '--no-renames', '--name-status', '--format=%an <%ae>|%cn|%s', 'HEAD').split('\n').filter(Boolean)).toEqual([
      'Piton <piton@localhost>|Piton|Fix the login',
      'D\tREADME.md',
      'A\tnew file.ts',
      'M\tsrc/main.ts',
    ]);
    expect(user.git('ls-files', '-s', 'new file.ts')).toMatch(/^100755/);
    expect(user.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ evidence: 'trailer' });
    expect(user.git('log', '-1', '--format=%(trailers:key=Piton-Checkpoint,valueonly)')).toMatch(/^[0-9A-Z]{26}$/);
    user.git('fsck', '--strict');
    expect(user.git('reflog', '-1', '--format=%gs')).toBe('piton: auto-commit');
  });

  it('is linked without a line where none is wanted', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    await autoCommit(worktree, { end, subject: 'Fix', identity: PITON, trailer: 'never' });
    await linkCommit(worktree, () => 'someone');
    expect(user.git('log', '-1', '--format=%B')).toBe('Fix');
    expect((await resolveLink(worktree, 'HEAD'))?.ids).toHaveLength(1);
  });

  it('takes secrets out of the prompt', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    await autoCommit(worktree, { end, subject: 'log in with hunter2', identity: PITON, trailer: 'never' });
    expect(user.git('log', '-1', '--format=%s')).toBe('log in with [redacted]');
  });

  it('follows turn after turn, and is undone by git as by Piton', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    for (const turn of ['t1', 't2']) {
      const end = await work(worktree, () => user.write('src/main.ts', `agent ${turn}\n`), turn);
      expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed' });
      await linkCommit(worktree);
      await endTurn(worktree, 's1');
    }
    expect(user.git('rev-list', '--count', 'HEAD')).toBe('3');
    const end = await work(worktree, () => user.write('src/main.ts', 'agent t3\n'), 't3');
    await commitOf(worktree, end);
    await linkCommit(worktree);
    await endTurn(worktree, 's1');
    expect((await rewind(worktree, end.before as string)).result).toBe('rewound');
    expect(user.read('src/main.ts')).toBe('agent t2\n');
    expect(user.git('rev-list', '--count', 'HEAD')).toBe('4');
    await undoRewind(worktree);
    user.git('reset', '--quiet', '--soft', 'HEAD~1');
    expect([user.read('src/main.ts'), user.git('status', '--porcelain')]).toEqual(['agent t3\n', 'M  src/main.ts']);
  });

  it('leaves out files that a person had changed before, and says which', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('README.md', 'mine\n');
    const end = await work(worktree, () => {
      user.write('README.md', 'mine\nagent\n');
      user.write('src/main.ts', 'agent\n');
    });
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed', left: ['README.md'] });
    expect(user.git('status', '--porcelain')).toBe('M README.md');
    expect(user.read('README.md')).toBe('mine\nagent\n');
  });

  it('takes in what an agent left uncommitted in an earlier turn', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await work(worktree, () => user.write('src/main.ts', 'first\n'));
    await endTurn(worktree, 's1');
    const end = await work(worktree, () => user.write('src/main.ts', 'first\nsecond\n'), 't2');
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed', left: [] });
    expect(user.git('status', '--porcelain')).toBe('');
  });

  it('makes none where HEAD has it already: the agent committed by itself', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => {
      user.write('src/main.ts', 'agent\n');
      user.git('commit', '--quiet', '-am', 'By the agent');
    });
    const before = stateOf(user);
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'nothing' });
    expect(stateOf(user)).toEqual(before);
  });

  it('hides no change of a person’s that only the age of the index tells from none', async () => {
    const user = scratch();
    user.git('config', 'core.trustctime', 'false');
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    // As many bytes as before, in the same moment in which git last looked.
    user.shell("touch -r README.md ../then; printf 'READ ME\\n' > README.md; touch -r ../then README.md .git/index");
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed' });
    expect(user.git('status', '--porcelain')).toBe('M README.md');
  });

  it('works in a linked worktree, on its own branch alone', async () => {
    const user = scratch();
    user.git('worktree', 'add', '--quiet', '-b', 'side', '../side');
    const side = Object.assign(Object.create(Object.getPrototypeOf(user)), user, { root: join(user.home, 'side') }) as Scratch;
    const worktree = await side.worktree();
    const main = user.git('rev-parse', 'main');
    const end = await work(worktree, () => side.write('src/main.ts', 'agent\n'));
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed' });
    expect([user.git('rev-parse', 'main'), side.git('rev-list', '--count', 'main..side'), side.git('status', '--porcelain')]).toEqual([
      main,
      '1',
      '',
    ]);
  });
});

describe('no auto-commit is made', () => {
  const cases: [string, string, (user: Scratch) => void][] = [
    ['over what the user staged', 'staged', (user) => void user.shell('echo b > b.txt; git add b.txt')],
    ['on a detached HEAD', 'detached', (user) => user.git('checkout', '--quiet', '--detach')],
    [
      'during a merge',
      'operation',
      (user) => {
        user.git('checkout', '--quiet', '-b', 'other', 'HEAD');
        user.git('commit', '--quiet', '--allow-empty', '-m', 'other');
        user.git('checkout', '--quiet', 'main');
        user.git('merge', '--quiet', '--no-ff', '--no-commit', 'other');
      },
    ],
    ['during a bisect', 'operation', (user) => user.git('bisect', 'start')],
    ['while somebody holds the index', 'busy', (user) => writeFileSync(user.path('.git/index.lock'), '')],
  ];
  it.each(cases)('%s, and everything stays as it was', async (_, why, meanwhile) => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    meanwhile(user);
    const before = stateOf(user);
    expect(await commitOf(worktree, end)).toEqual({ result: 'skipped', why });
    expect(stateOf(user)).toEqual(before);
    expect(existsSync(user.path('.git/index.lock'))).toBe(why === 'busy');
  });

  it('during a rebase that stopped', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    user.git('stash', '--quiet');
    user.git('-c', 'sequence.editor=sed -i 1s/pick/edit/', 'rebase', '--quiet', '--root', '-i');
    user.git('stash', 'pop', '--quiet');
    expect(await commitOf(worktree, end)).toEqual({ result: 'skipped', why: 'operation' });
  });

  it('before the first commit', async () => {
    const user = emptyScratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('a.txt', 'agent\n'));
    expect(await commitOf(worktree, end)).toEqual({ result: 'skipped', why: 'unborn' });
  });

  it('of a turn in which another session was at work', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await beginTurn(worktree, about('t1')).done;
    user.write('src/main.ts', 'agent\n');
    await beginTurn(worktree, about('u1', 's2')).done;
    user.write('README.md', 'other agent\n');
    await take(worktree, { ...about('u1', 's2'), kind: 'stop', by: 'shared' });
    await endTurn(worktree, 's2');
    user.write('run.sh', 'agent\n');
    const taken = await take(worktree, { ...about('t1'), kind: 'stop', by: 'agent' });
    if (taken.result !== 'made') throw new Error(taken.result);
    expect(await commitOf(worktree, taken.checkpoint)).toEqual({ result: 'skipped', why: 'shared' });
  });

  it('where somebody commits just then: theirs stays', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    let theirs = '';
    const done = await autoCommit(worktree, {
      end,
      subject: 'x',
      identity: PITON,
      trailer: 'never',
      onStep: (step) => {
        // A commit that needs no index: the branch moves under our feet.
        if (step !== 'locked' || theirs !== '') return;
        theirs = user.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'theirs');
        user.git('update-ref', 'refs/heads/main', theirs);
      },
    });
    // The second try stands on theirs.
    expect(done).toMatchObject({ result: 'committed' });
    expect(user.git('rev-parse', 'HEAD^')).toBe(theirs);
    expect(user.git('status', '--porcelain')).toBe('');
  });
});
