import { expect, it } from 'vitest';
import { objectsOf } from '../src/attribution/objects.ts';
import { stepsAlong } from '../src/attribution/steps.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { take } from '../src/snapshot/take.ts';
import type { Difference, Entry } from '../src/snapshot/tree.ts';
import { scratch } from './scratch.ts';

const ABOUT = { name: 'Work', session: 's1', agent: 'someone', turn: 't1', kind: 'stop', by: 'agent', always: true } as const;

it('between checkpoints that do not follow each other lies what git says, and each file is in each what git has there', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const works = [
    () => user.write('a', 'first\n'),
    () => user.shell('rm a; mkdir a; echo x > a/b; echo changed > a.txt; echo back > README.md; mv run.sh z.sh'),
    () => user.shell('git checkout README.md; echo y > a/b; rm src/main.ts; chmod +x z.sh'),
    () => user.shell('rm -r a; echo first > a; echo again > src/main.ts'),
    () => {},
  ];
  for (const work of works) {
    work();
    expect((await take(worktree, ABOUT)).result).toBe('made');
  }
  const all = await listCheckpoints(worktree.git, worktree.repository);
  const steps = stepsAlong(worktree, objectsOf(worktree), [all]);
  const side = (entry: Entry | null) => `${entry?.mode ?? '000000'} ${entry?.oid ?? '0'.repeat(40)}`;
  const shown = ({ path, before, after }: Difference) => `${path}: ${side(before)} ${side(after)}`;
  for (const [at, from] of all.entries())
    for (const to of all.slice(at + 1)) {
      const rows = user.git('diff-tree', '-r', '--raw', '--no-abbrev', '--no-renames', from.tree, to.tree).split('\n').filter(Boolean);
      const theirs = rows.map((row) => row.replace(/^:(\d+) (\d+) (\w+) (\w+) \w\t(.*)$/, '$5: $1 $3 $2 $4'));
      expect((await steps.between(from, to)).map(shown)).toEqual(theirs);
    }
  for (const path of ['a', 'a/b', 'a.txt', 'README.md', 'run.sh', 'z.sh', 'src/main.ts', '.gitignore', 'src', 'none']) {
    const theirs = all.map(({ tree }) => / blob (\w+)\t/.exec(user.git('ls-tree', tree, path))?.[1] ?? null);
    expect([path, await steps.oids([[all, path]])]).toEqual([path, [theirs]]);
    const some = all.filter((_, at) => at % 2 === 1);
    expect([path, await steps.oids([[some, path]])]).toEqual([path, [theirs.filter((_, at) => at % 2 === 1)]]);
  }
});
