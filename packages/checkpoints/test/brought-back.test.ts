import { describe, expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { commit, turn, whose } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

const FILE = 'src/main.ts';
const LONG_AGO = '2026-01-02T00:00:00Z';

/** Every line says who wrote it. */
const text = (...lines: readonly string[]): string => lines.map((line) => `${line} wrote this\n`).join('');
const linesIn = (content: string): string[] => content.split('\n').filter(Boolean);
const truth = (lines: readonly string[]): string[] => lines.map((line) => `${line.split(' ')[0]}: ${line}`);

interface Day {
  readonly user: Scratch;
  readonly worktree: Worktree;
  /** The first commit. */
  readonly root: string;
  /** Before anything was in the file. */
  readonly first: string;
}

/** A commit with lines of two agents and a person; branches that a person made long ago, with other lines. */
async function begin(): Promise<Day> {
  const user = scratch();
  const worktree = await user.worktree();
  const root = user.git('rev-parse', 'HEAD');
  const old = (branch: string, content: string) => {
    user.date = LONG_AGO;
    user.git('checkout', '-q', '-b', branch);
    user.write(FILE, content);
    user.commit(`On ${branch}`);
    user.date = undefined;
    user.git('checkout', '-q', 'main');
  };
  old('other', text('me far', 'me far too'));
  const first = await turn(worktree, () => user.write(FILE, text('s1 one', 's1 two')), 's1');
  await turn(worktree, () => user.write(FILE, text('s1 one', 's0 one', 's1 two')), 's0');
  user.write(FILE, text('s1 one', 's0 one', 'me one', 's1 two'));
  await commit(user, worktree, 'Of all three');
  old('ahead', text('s1 one', 's0 one', 'me one', 's1 two', 'me ahead', 'me ahead too'));
  return { user, worktree, root, first };
}

/** Why the file is not as it was committed when the turn begins. */
const AWAY: Record<string, (day: Day) => unknown> = {
  'a person has written something else': ({ user }) => user.write(FILE, text('me instead')),
  'a person has deleted it': ({ user }) => user.remove(FILE),
  'it was rewound': ({ worktree, first }) => rewind(worktree, first, { everything: true }),
  'an agent has written something else': ({ user, worktree }) => turn(worktree, () => user.write(FILE, text('s9 instead')), 's9'),
};

const BACK: Record<string, (user: Scratch) => unknown> = {
  'checkout of the file': (user) => user.git('checkout', '-q', 'HEAD', '--', FILE),
  'reset --hard': (user) => user.git('reset', '-q', '--hard'),
  'stash and drop': (user) => user.shell('git stash -q -u && git stash drop -q'),
  'show into the file': (user) => user.shell(`mkdir -p src && git show HEAD:${FILE} > ${FILE}`),
  'checkout of a branch': (user) => user.git('checkout', '-q', '-f', 'other'),
  'a pull that is ahead': (user) => user.shell('git checkout -q . && git merge -q --ff-only ahead'),
};

const EDITS: Record<string, (lines: readonly string[]) => readonly string[]> = {
  'deletes a line': (lines) => lines.slice(0, -1),
  'adds a line': (lines) => [...lines.slice(0, 1), 's2 new wrote this', ...lines.slice(1)],
  'takes a line for another': (lines) => ['s2 new wrote this', ...lines.slice(1)],
};

const AFTER: Record<string, (day: Day) => unknown> = {
  'is amended': async ({ user, worktree }) => {
    user.git('add', '-A');
    user.git('commit', '-q', '--amend', '-m', 'Amended');
    await commit(user, worktree, 'Nothing more');
  },
  'is squashed': async ({ user, worktree }) => {
    await commit(user, worktree, 'New');
    user.git('reset', '-q', '--soft', 'HEAD~2');
    await commit(user, worktree, 'Squashed');
  },
  'is rebased': async ({ user, worktree }) => {
    const branch = user.git('rev-parse', '--abbrev-ref', 'HEAD');
    await commit(user, worktree, 'New');
    user.git('checkout', '-q', '-b', 'base', 'HEAD~2');
    user.write('README.md', text('me elsewhere'));
    user.commit('Elsewhere');
    user.git('checkout', '-q', branch);
    user.git('rebase', '-q', 'base');
  },
};

const nth = <Value>(of: Record<string, Value>, at: number): readonly [string, Value] => {
  const all = Object.entries(of);
  return all[at % all.length] as [string, Value];
};

/** Each way back with each thing done later; the rest goes round. */
const days = Object.entries(BACK).flatMap((back, row) =>
  Object.entries(AFTER).map((after, column) => ({ back, after, away: nth(AWAY, row + column), edit: nth(EDITS, row + 2 * column) })),
);

describe('what git brought back in an agent’s turn is still whose it was', () => {
  for (const { back, after, away, edit } of days) {
    it(`${away[0]}; ${back[0]} in the turn, which ${edit[0]}; then it ${after[0]}`, async () => {
      const day = await begin();
      const { user, worktree, root } = day;
      await away[1](day);
      const work = () => {
        back[1](user);
        user.write(FILE, `${edit[1](linesIn(user.read(FILE))).join('\n')}\n`);
      };
      await turn(worktree, work, 's2');
      const lines = linesIn(user.read(FILE));
      await after[1](day);
      expect(linesIn(user.read(FILE))).toEqual(lines);
      expect(await whose(worktree, user, FILE)).toEqual(truth(lines));
      for (const rev of user.git('rev-list', `${root}..HEAD`).split('\n')) {
        const added = [...user.git('show', '--format=', '--unified=0', rev).matchAll(/^\+(\w+) .* wrote this$/gm)].map(([, who]) => who);
        const human = added.filter((who) => who === 'me').length;
        expect(await attributeCommit(worktree, rev), rev).toMatchObject({ human, agent: added.length - human, shared: 0 });
      }
    });
  }

  it('also where two agents are at work', async () => {
    const { user, worktree } = await begin();
    user.write(FILE, text('me instead'));
    const [s2, s3] = ['s2', 's3'].map((session) => ({ name: 'Fix it', session, agent: 'someone', turn: session })) as [Turn, Turn];
    await beginTurn(worktree, s2).done;
    await beginTurn(worktree, s3).done;
    user.git('checkout', '-q', FILE);
    user.write(FILE, text('s1 one', 's0 one', 'me one', 'either'));
    await take(worktree, { ...s2, kind: 'stop', by: 'shared' });
    for (const { session } of [s2, s3]) await endTurn(worktree, session);
    user.git('commit', '-q', '-a', '--amend', '-m', 'Amended');
    expect((await blameFile(worktree, user.path(FILE)))?.map(({ by, text: line }) => `${by} ${line}`)).toEqual([
      ...['agent s1 one', 'agent s0 one', 'human me one', 'shared either'].map((line) => `${line} wrote this`),
    ]);
  });

  it('and what an agent writes anew is the agent’s, whatever it says', async () => {
    const { user, worktree } = await begin();
    // In no commit when the agent writes it again.
    await turn(worktree, () => user.write(FILE, text('s1 one', 's0 one', 'me one', 's1 two', 'the same')), 's3');
    user.git('checkout', '-q', FILE);
    await turn(worktree, () => user.write(FILE, text('s1 one', 'the same', 's0 one', 'me one', 's1 two', 's2 more')), 's2');
    user.git('commit', '-q', '-a', '--amend', '-m', 'Amended');
    expect((await whose(worktree, user, FILE)).filter((line) => /same|more/.test(line))).toEqual([
      's2: the same wrote this',
      's2: s2 more wrote this',
    ]);
  });

  it.each([
    ['now', undefined],
    ['long ago, by what it says', LONG_AGO],
  ])('and what an agent commits itself in its turn is the agent’s, and stays so after an amend: %s', async (_, date) => {
    const { user, worktree } = await begin();
    const about = { name: 'Fix it', session: 's2', agent: 'someone', turn: 's2' };
    await beginTurn(worktree, about).done;
    user.write(FILE, text('s1 one', 's2 new', 's1 two'));
    user.date = date;
    await commit(user, worktree, 'By the agent');
    await take(worktree, { ...about, kind: 'stop', by: 'agent' });
    await endTurn(worktree, 's2');
    user.git('commit', '-q', '--amend', '-m', 'Amended');
    expect(await whose(worktree, user, FILE)).toEqual(truth(linesIn(text('s1 one', 's2 new', 's1 two'))));
  });

  it('and so it is where its own commit has no link', async () => {
    const { user, worktree } = await begin();
    const work = () => {
      user.write(FILE, text('s1 one', 's2 new', 's1 two'));
      user.git('commit', '-q', '-a', '-m', 'By the agent');
    };
    await turn(worktree, work, 's2');
    user.git('commit', '-q', '--amend', '-m', 'Amended');
    expect(await whose(worktree, user, FILE)).toEqual(truth(linesIn(text('s1 one', 's2 new', 's1 two'))));
  });
});

interface Turn {
  readonly name: string;
  readonly session: string;
  readonly agent: string;
  readonly turn: string;
}
