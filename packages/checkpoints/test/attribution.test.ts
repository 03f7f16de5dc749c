import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { matchLines } from '../src/attribution/line-match.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import { commit, turn, whose } from './authors.ts';
import { Scratch, scratch } from './scratch.ts';

describe('blame', () => {
  it('tells an agent’s lines from a person’s, before they are committed and after', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('src/main.ts', 'one\nmine before\ntwo\nthree\n');
    await turn(worktree, () => user.write('src/main.ts', 'one\nmine before\nagent\ntwo\nthree\n'));
    user.write('src/main.ts', 'one\nmine before\nagent\ntwo\nmine after\nthree\n');
    const expected = ['me: one', 'me: mine before', 's1: agent', 'me: two', 'me: mine after', 'me: three'];
    expect(await whose(worktree, user, 'src/main.ts')).toEqual(expected);
    await commit(user, worktree, 'Together');
    expect(await whose(worktree, user, 'src/main.ts')).toEqual(expected);
    expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 1, human: 2, shared: 0, removed: 0, sessions: ['s1'] });
  });

  it('of a file under a filter, which is not run, is that of the commit while nobody changes it', async () => {
    const user = scratch();
    user.git('config', 'filter.upper.clean', 'tr a-z A-Z');
    user.write('.gitattributes', '*.up filter=upper\n');
    user.write('a.up', 'one\ntwo\n');
    // Older than the index: else git, which has no filter here, would look into it.
    user.shell("touch -d '1 hour ago' a.up");
    user.commit('filtered');
    const worktree = await user.worktree();
    const lines = await blameFile(worktree, user.path('a.up'));
    expect(lines?.map(({ text, commit: since }) => [text, since === user.git('rev-parse', 'HEAD')])).toEqual([
      ['ONE', true],
      ['TWO', true],
    ]);
  });

  it('of what two sessions shared is not told otherwise by another working tree that has it from them', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const [first, second] = ['s1', 's2'].map((session) => ({ name: 'Fix it', session, agent: 'someone', turn: session }));
    if (!first || !second) throw new Error('two sessions');
    await beginTurn(worktree, first).done;
    await beginTurn(worktree, second).done;
    user.write('README.md', 'read me\nby one of two\n');
    await take(worktree, { ...first, kind: 'stop', by: 'shared' });
    for (const session of ['s1', 's2']) await endTurn(worktree, session);
    user.git('worktree', 'add', '--quiet', '--detach', '../linked');
    const linked = new Scratch(user.home, join(user.home, 'linked'));
    const there = await linked.worktree();
    await take(there, { ...first, kind: 'prompt', by: 'human' });
    // Whatever was seen up to a commit's own time may have led to it.
    user.date = `${Math.floor(Date.now() / 1000) + 3600} +0000`;
    await commit(user, worktree, 'Shared');
    linked.git('checkout', '--quiet', 'main', '--detach');
    await take(there, { ...first, kind: 'prompt', by: 'human' });
    expect((await blameFile(worktree, user.path('README.md')))?.map(({ by }) => by)).toEqual(['human', 'shared']);
  });

  it('knows the prompt: the turn and the checkpoint of each line', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('new.txt', 'first\n'), 's1');
    await turn(worktree, () => user.write('new.txt', 'first\nsecond\n'), 's2');
    const lines = await blameFile(worktree, user.path('new.txt'));
    expect(lines?.map(({ checkpoint, commit: sha }) => [checkpoint?.session, checkpoint?.turn, sha])).toEqual([
      ['s1', 'turn of s1', null],
      ['s2', 'turn of s2', null],
    ]);
  });

  it('survives later edits, and a move to another file and name', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const agent = ['alpha line of the agent', 'beta line of the agent', 'gamma line of the agent'];
    await turn(worktree, () => user.write('a.txt', `${agent.join('\n')}\n`));
    await commit(user, worktree, 'Agent');
    user.write('a.txt', `mine\n${agent[0]}\n${agent[1]}\nchanged by me\n`);
    await commit(user, worktree, 'Mine');
    user.git('mv', 'a.txt', 'b.txt');
    await commit(user, worktree, 'Moved');
    expect(await whose(worktree, user, 'b.txt')).toEqual(['me: mine', `s1: ${agent[0]}`, `s1: ${agent[1]}`, 'me: changed by me']);
  });

  it('follows a rename before the commit', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('draft.txt', 'a\nb\nc\n'), 's1');
    await turn(worktree, () => user.shell('mv draft.txt final.txt'), 's2');
    await commit(user, worktree, 'Final');
    expect(await whose(worktree, user, 'final.txt')).toEqual(['s1: a', 's1: b', 's1: c']);
  });

  it('follows a move also if the old name is in use again', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('draft.txt', 'alpha\nbeta\ngamma\n'), 's1');
    await turn(worktree, () => user.shell('mv draft.txt final.txt; echo other > draft.txt'), 's2');
    expect(await whose(worktree, user, 'final.txt')).toEqual(['s1: alpha', 's1: beta', 's1: gamma']);
    expect(await whose(worktree, user, 'draft.txt')).toEqual(['s2: other']);
  });

  it('follows a move to a name that another file had', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('new.txt', 'first line by s1\nsecond line by s1\n'), 's1');
    await turn(
      worktree,
      () => {
        user.shell('mv new.txt README.md');
        user.write('README.md', `${user.read('README.md')}and one more by s2\n`);
      },
      's2',
    );
    expect(await whose(worktree, user, 'README.md')).toEqual(['s1: first line by s1', 's1: second line by s1', 's2: and one more by s2']);
  });

  it('survives rebase, squash and gc', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.git('checkout', '--quiet', '-b', 'work');
    await turn(worktree, () => user.write('src/main.ts', 'one\nby s1\ntwo\nthree\n'), 's1');
    await commit(user, worktree, 'First');
    await turn(worktree, () => user.write('src/main.ts', 'one\nby s1\ntwo\nby s2\nthree\n'), 's2');
    user.write('src/main.ts', 'one\nby s1\ntwo\nby s2\nthree\nmine\n');
    await commit(user, worktree, 'Second');
    const expected = ['me: one', 's1: by s1', 'me: two', 's2: by s2', 'me: three', 'me: mine'];
    user.git('checkout', '--quiet', 'main');
    user.write('README.md', 'upstream\n');
    user.commit('upstream');
    user.git('rebase', '--quiet', 'main', 'work');
    user.git('reflog', 'expire', '--expire=now', '--all');
    user.git('gc', '--quiet', '--prune=now');
    expect(await whose(worktree, user, 'src/main.ts')).toEqual(expected);
    user.git('checkout', '--quiet', 'main');
    user.git('merge', '--quiet', '--squash', 'work');
    user.git('commit', '--quiet', '-m', 'Squashed');
    user.git('branch', '-D', 'work');
    expect(await whose(worktree, user, 'src/main.ts')).toEqual(expected);
    expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 2, human: 1, sessions: ['s1', 's2'] });
  });

  it('keeps authors through a rewind and back', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const before = await turn(worktree, () => user.write('new.txt', 'agent\n'));
    await rewind(worktree, before);
    expect(await whose(worktree, user, 'new.txt')).toEqual([]);
    await undoRewind(worktree);
    user.write('new.txt', 'agent\nmine\n');
    expect(await whose(worktree, user, 'new.txt')).toEqual(['s1: agent', 'me: mine']);
  });

  it('knows files by names that git quotes, before and after a commit', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const names = ['it is "quoted".txt', 'back\\slash.txt', 'tab\there.txt', 'line\nfeed.txt', '\u001b[31m.txt', 'grüße.txt', '-dash.txt'];
    await turn(worktree, () => {
      for (const name of names) user.write(name, 'agent\nagent too\n');
    });
    await commit(user, worktree, 'Names');
    for (const name of names) {
      expect([name, await whose(worktree, user, name)]).toEqual([name, ['s1: agent', 's1: agent too']]);
      user.write(name, 'agent\nmine, and more of it\nagent too\n');
      expect([name, await whose(worktree, user, name)]).toEqual([name, ['s1: agent', 'me: mine, and more of it', 's1: agent too']]);
    }
    expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 2 * names.length, human: 0, shared: 0 });
  });

  it('of a file that no agent touched, and of none', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    expect(await whose(worktree, user, 'README.md')).toEqual(['me: read me']);
    expect(await blameFile(worktree, user.path('nothing.txt'))).toBe(null);
    expect(await blameFile(worktree, '/etc/passwd')).toBe(null);
  });

  it('counts the lines that git counts: of a rename, a merge, a first commit, a deletion, a link', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const text = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at} of a long text\n`).join('');
    const agree = async (rev = 'HEAD') => {
      const found = await attributeCommit(worktree, rev);
      const parent = user.shell(`git rev-parse --quiet --verify ${rev}^ || git hash-object -t tree /dev/null`).trim();
      const rows = user.git('diff', '--minimal', '-M', '--numstat', parent, rev).split('\n');
      const sum = (at: number) => rows.reduce((all, row) => all + Number(row.split('\t')[at]?.replace('-', '0') ?? 0), 0);
      expect(found && { added: found.agent + found.human + found.shared, removed: found.removed }).toEqual({
        added: sum(0),
        removed: sum(1),
      });
      return found;
    };
    await agree();
    await turn(worktree, () => user.write('agent.txt', text(0, 20)));
    await commit(user, worktree, 'By the agent');
    expect(await agree()).toMatchObject({ agent: 20, human: 0, removed: 0 });
    user.git('mv', 'agent.txt', 'renamed.txt');
    user.write('renamed.txt', `${text(0, 10)}mine, in the middle of it\n${text(11, 20)}`);
    await commit(user, worktree, 'Renamed by me');
    expect(await agree()).toMatchObject({ agent: 0, human: 1, removed: 1 });
    user.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    await turn(worktree, () => user.write('side.txt', text(40, 45)));
    await commit(user, worktree, 'On the side');
    user.git('checkout', '--quiet', 'main');
    user.git('merge', '--quiet', '--no-ff', '-m', 'Merged', 'side');
    expect(await agree()).toMatchObject({ agent: 5, human: 0 });
    symlinkSync('renamed.txt', user.path('link'));
    user.git('rm', '--quiet', 'side.txt');
    await commit(user, worktree, 'Gone');
    expect(await agree()).toMatchObject({ agent: 0, human: 1, removed: 5 });
  });

  it('row 28, binary files: counted as files', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('picture.bin', Buffer.from([0, 1, 2])));
    await commit(user, worktree, 'Picture');
    expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 0, human: 0, binary: 1 });
  });
});

it('lines are matched in order, only to equal ones, and to as many as the longest common sequence', () => {
  const longest = (a: string[], b: string[]): number => {
    const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
    for (let i = 1; i <= a.length; i++)
      for (let j = 1; j <= b.length; j++)
        (table[i] as number[])[j] =
          a[i - 1] === b[j - 1] ? (table[i - 1]?.[j - 1] ?? 0) + 1 : Math.max(table[i - 1]?.[j] ?? 0, table[i]?.[j - 1] ?? 0);
    return table[a.length]?.[b.length] ?? 0;
  };
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const match = [...matchLines(before, after)];
      const used = match.filter((at) => at >= 0);
      expect(used).toEqual([...new Set(used)].sort((x, y) => x - y));
      for (const [at, from] of match.entries()) if (from >= 0) expect(before[from]).toBe(after[at]);
      expect(used).toHaveLength(longest(before, after));
    }),
    { verbose: true },
  );
});
