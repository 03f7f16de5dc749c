import { join } from 'node:path';
import type { Git } from '@piton/git';
import { describe, expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { linkCommit, markMessage } from '../src/links/link.ts';
import { findRepository } from '../src/repositories/repository.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { Scratch, scratch } from './scratch.ts';

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

/** A place that writes down which git commands it starts. */
async function listening(user: Scratch): Promise<{ worktree: Worktree; started: string[] }> {
  const worktree = await user.worktree();
  const started: string[] = [];
  const git: Git = (args, options) => {
    started.push(args.find((arg) => arg !== '-c' && !arg.includes('=')) ?? '');
    return worktree.git(args, options);
  };
  await take(worktree, TURN);
  return { worktree: { ...worktree, git }, started };
}

async function touch(worktree: Worktree, user: Scratch, file: string, content: string): Promise<void> {
  user.write(file, content);
  const taken = await take(worktree, { ...TURN, touched: [user.path(file)] });
  expect(taken.result).toBe('made');
}

it('a file that is touched again costs one process', async () => {
  const user = scratch();
  const { worktree, started } = await listening(user);
  await touch(worktree, user, 'src/main.ts', 'once\n');
  started.length = 0;
  await touch(worktree, user, 'src/main.ts', 'again\n');
  expect(started).toEqual(['fast-import']);
});

it('a tracked file that is touched for the first time costs three: how HEAD has it, its attributes, and the checkpoint', async () => {
  const user = scratch();
  const { worktree, started } = await listening(user);
  await touch(worktree, user, 'src/main.ts', 'once\n');
  expect(started.sort()).toEqual(['check-attr', 'fast-import', 'ls-tree']);
});

it('of a new file it is asked besides whether it is ignored', async () => {
  const user = scratch();
  const { worktree, started } = await listening(user);
  await touch(worktree, user, 'src/new.ts', 'once\n');
  expect(started.sort()).toEqual(['check-attr', 'check-ignore', 'fast-import', 'ls-tree']);
});

it('finding the repository costs two: where its parts lie, and its settings', async () => {
  const user = scratch();
  const started: string[] = [];
  const git = user.runner();
  const ask: typeof git.ask = (args, options) => {
    started.push(args[0]);
    return git.ask(args, options);
  };
  const found = await findRepository({ ask }, user.root);
  expect(found?.root).toBe(user.root);
  expect(started.sort()).toEqual(['config', 'rev-parse']);
});

it.each([
  ['.husky', '/.husky'],
  ['/somewhere/else', undefined],
  ['~/hooks', undefined],
])('the hooks of git lie where core.hooksPath %s says', async (path, below) => {
  const user = scratch();
  user.git('config', 'core.hooksPath', path);
  const theirs = user.git('config', '--type=path', 'core.hooksPath');
  expect((await user.repository()).hooksDir).toBe(below ? `${user.root}${below}` : theirs);
});

it('a message that is named costs the same with the work of others waiting as without', async () => {
  const costs = async (others: number): Promise<string[]> => {
    const user = scratch();
    const { worktree, started } = await listening(user);
    await touch(worktree, user, 'src/main.ts', 'ours\n');
    for (let at = 0; at < others; at++) {
      user.write(`theirs-${at}.ts`, 'theirs\n');
      await take(worktree, { ...TURN, session: `other-${at}`, touched: [user.path(`theirs-${at}.ts`)] });
    }
    user.git('add', 'src/main.ts');
    user.write('.git/COMMIT_EDITMSG', 'Change it\n');
    const file = join(worktree.repository.gitDir, 'COMMIT_EDITMSG');
    expect(await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message' })).toHaveLength(1);
    started.length = 0;
    expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '' })).toEqual([]);
    return started;
  };
  expect(await costs(3)).toEqual(await costs(0));
});

it('a commit of the session that was at work last is linked without a look at all checkpoints', async () => {
  const user = scratch();
  const { worktree, started } = await listening(user);
  await touch(worktree, user, 'src/main.ts', 'ours\n');
  user.commit('Change it');
  started.length = 0;
  expect((await linkCommit(worktree))?.made).toMatchObject([{ agent: TURN.agent }]);
  expect(started).not.toContain('for-each-ref');
});

it('a commit of what an agent has left costs no look into files, and two processes where somebody has changed all of it since', async () => {
  const costs = async (change: (user: Scratch) => void): Promise<string[]> => {
    const user = scratch();
    const { worktree, started } = await listening(user);
    for (const file of ['one.ts', 'two.ts', 'three.ts']) await touch(worktree, user, file, `agent ${file}\n`);
    change(user);
    user.git('add', '-A');
    user.write('.git/COMMIT_EDITMSG', 'Change it\n');
    started.length = 0;
    const file = join(worktree.repository.gitDir, 'COMMIT_EDITMSG');
    await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message' });
    return started;
  };
  const asItIs = ['diff-index'];
  expect(await costs(() => {})).toEqual(asItIs);
  expect(await costs((user) => user.write('one.ts', 'mine\n'))).toEqual(asItIs);
  const replaced = (user: Scratch) => {
    for (const file of ['one.ts', 'two.ts', 'three.ts']) user.write(file, 'mine\n');
  };
  expect(await costs(replaced)).toEqual(['diff-index', 'cat-file', 'cat-file']);
});

it('whose the lines of a commit are costs one process for all steps between checkpoints, and asks but once what led to it', async () => {
  const user = scratch();
  const { worktree, started } = await listening(user);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `src/${name}.ts`);
  for (const text of ['first', 'second', 'third']) for (const name of names) await touch(worktree, user, name, `${text} of ${name}\n`);
  user.commit('All of it');
  started.length = 0;
  expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: names.length, human: 0 });
  const count = (command: string) => started.filter((one) => one === command).length;
  // Besides the steps, and the lines in them: what the commit changed, and which of it was only moved.
  expect({ differences: count('diff-tree'), logs: count('log') }).toEqual({ differences: 4, logs: 1 });
});

describe('whose the lines of a commit are costs as many processes for many files as for few', () => {
  const text = (name: string, version: number) =>
    [0, 1, 2, 3].map((line) => `line ${line} of ${name}${line < 2 ? '' : ` in version ${version}`}\n`).join('');
  const turn = async (worktree: Worktree, session: string, work: () => void): Promise<void> => {
    work();
    expect((await take(worktree, { ...TURN, session })).result).toBe('made');
  };
  type Story = (user: Scratch, worktree: Worktree, names: readonly string[]) => Promise<void>;
  const stories: Record<string, Story> = {
    'written and changed in turns of many files': async (user, worktree, names) => {
      for (const version of [1, 2, 3])
        await turn(worktree, 's1', () => {
          for (const name of names) user.write(name, text(name, version));
        });
    },
    'one file in each turn': async (user, worktree, names) => {
      for (const [at, name] of names.entries()) await turn(worktree, `s${at}`, () => user.write(name, text(name, 1)));
    },
    'new beside others that changed': async (user, worktree, names) => {
      const old = (name: string) => `old/${name}`;
      await turn(worktree, 's1', () => {
        for (const name of names) user.write(old(name), text(`old ${name}`, 1));
      });
      for (const [at, name] of names.entries())
        await turn(worktree, `s${at}`, () => {
          user.write(name, text(name, 1));
          user.write(old(name), text(`old ${name}`, 2));
        });
    },
    'moved, and changed while they were': async (user, worktree, names) => {
      await turn(worktree, 's1', () => {
        for (const name of names) user.write(`old/${name}`, text(name, 1));
      });
      await turn(worktree, 's2', () => {
        for (const name of names) user.write(`old/${name}`, text(name, 2));
      });
      await turn(worktree, 's3', () => {
        for (const name of names) user.write(name, text(name, 3));
        user.remove('old');
      });
    },
    'written anew by a person after the last turn': async (user, worktree, names) => {
      await turn(worktree, 's1', () => {
        for (const name of names) user.write(name, text(name, 1));
      });
      for (const name of names) user.write(name, `all of ${name} is new\n`);
    },
    'over a commit of somebody else’s, and rewritten': async (user, worktree, names) => {
      for (const name of names) user.write(name, text(name, 1));
      user.commit('Before');
      for (const round of [1, 2]) {
        user.write('other.ts', `other ${round}\n`);
        user.git('add', 'other.ts');
        user.git('commit', '--quiet', '-m', `Other ${round}`);
        await turn(worktree, 's1', () => {
          for (const name of names) user.write(name, `all of ${name} is new in ${round}\n`);
        });
      }
    },
    'in two working trees': async (user, worktree, names) => {
      user.git('worktree', 'add', '--quiet', '--detach', '../linked');
      const linked = new Scratch(user.home, join(user.home, 'linked'));
      await take(await linked.worktree(), TURN);
      await turn(worktree, 's1', () => {
        for (const name of names) user.write(name, text(name, 1));
      });
    },
  };
  it.each(Object.entries(stories))('%s', async (_, tell) => {
    const costs = async (count: number) => {
      const user = scratch();
      const { worktree, started } = await listening(user);
      const names = Array.from({ length: count }, (__, at) => `${at}.ts`);
      await tell(user, worktree, names);
      user.commit('All of it');
      started.length = 0;
      const found = await attributeCommit(worktree, 'HEAD');
      return { processes: started.length, lines: found && (found.agent + found.human + found.shared) / count };
    };
    expect(await costs(6)).toEqual(await costs(2));
  });
});

it('whose the lines of a file are costs as many processes where they come from many commits as where they come from few', async () => {
  const costs = async (count: number): Promise<string[]> => {
    const user = scratch();
    // Whatever was seen up to a commit's own time may have led to it: here all, however fast this runs.
    user.date = `${Math.floor(Date.now() / 1000) + 3600} +0000`;
    const { worktree, started } = await listening(user);
    // Most of it stays: else it might have been moved there.
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at} of all of them\n`);
    user.write('src/main.ts', lines.join(''));
    user.commit('Lines');
    await take(worktree, { ...TURN, kind: 'prompt', by: 'human' });
    for (let at = 0; at < count; at++) {
      lines[at] = `line ${at} by the agent\n`;
      await touch(worktree, user, 'src/main.ts', lines.join(''));
      user.commit(`Line ${at}`);
    }
    started.length = 0;
    const blamed = await blameFile(worktree, user.path('src/main.ts'));
    expect(new Set(blamed?.map(({ commit }) => commit)).size).toBe(count + 1);
    expect(blamed?.filter(({ by }) => by === 'agent')).toHaveLength(count);
    return started.sort();
  };
  expect(await costs(6)).toEqual(await costs(2));
});
