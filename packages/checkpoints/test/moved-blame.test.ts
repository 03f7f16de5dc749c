import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { commit, turn, whose } from './authors.ts';
import { Scratch, scratch } from './scratch.ts';

const AGENTS = ['alpha line of the agent', 'beta line of the agent', 'gamma line of the agent'];
const TEXT = `${AGENTS.join('\n')}\n`;
const BY_AGENT = AGENTS.map((line) => `s1: ${line}`);

/** An agent has written `draft.txt`, and nobody has committed it. */
async function drafted(text = TEXT): Promise<[Scratch, Worktree]> {
  const user = scratch();
  const worktree = await user.worktree();
  await turn(worktree, () => user.write('draft.txt', text));
  return [user, worktree];
}

/** Before the commit and after it: who commits a line does not become its author. */
async function expectAuthors(user: Scratch, worktree: Worktree, file: string, authors: readonly string[]): Promise<void> {
  expect(await whose(worktree, user, file)).toEqual(authors);
  await commit(user, worktree, 'Moved');
  expect(['committed', ...(await whose(worktree, user, file))]).toEqual(['committed', ...authors]);
}

describe('blame of a file that a person moved, and nobody has looked since', () => {
  it('is the agent’s, with session, turn and checkpoint', async () => {
    const [user, worktree] = await drafted();
    const before = await blameFile(worktree, user.path('draft.txt'));
    user.shell('mv draft.txt final.txt');
    expect(await blameFile(worktree, user.path('final.txt'))).toEqual(before);
    expect(before?.[0]).toMatchObject({ by: 'agent', session: 's1', checkpoint: { turn: 'turn of s1' } });
    await expectAuthors(user, worktree, 'final.txt', BY_AGENT);
  });

  it('writes nothing into the repository', async () => {
    const [user, worktree] = await drafted();
    user.shell('mv draft.txt final.txt');
    const objects = () => user.shell('find .git -type f | sort; git for-each-ref; git ls-files --stage');
    const before = objects();
    await whose(worktree, user, 'final.txt');
    expect(objects()).toBe(before);
  });

  it('keeps the lines of a committed file, and their commits', async () => {
    const [user, worktree] = await drafted();
    await commit(user, worktree, 'Draft');
    user.shell('mkdir -p docs/old; mv draft.txt docs/old/final.txt');
    const head = user.git('rev-parse', 'HEAD');
    const lines = await blameFile(worktree, user.path('docs/old/final.txt'));
    expect(lines?.map(({ commit: sha, session }) => [sha, session])).toEqual(AGENTS.map(() => [head, 's1']));
    await expectAuthors(user, worktree, 'docs/old/final.txt', BY_AGENT);
  });

  it('tells the lines that the person then changed from the rest', async () => {
    for (const committed of [false, true]) {
      const [user, worktree] = await drafted();
      if (committed) await commit(user, worktree, 'Draft');
      user.shell('mv draft.txt final.txt');
      user.write('final.txt', `${AGENTS[0]}\nmine, in the middle of it\n${AGENTS[2]}\n`);
      await expectAuthors(user, worktree, 'final.txt', [`s1: ${AGENTS[0]}`, 'me: mine, in the middle of it', `s1: ${AGENTS[2]}`]);
    }
  });

  it('tells them also where the person has added far more than there was', async () => {
    const [user, worktree] = await drafted();
    const mine = Array.from({ length: 20 }, (_, at) => `line ${at} that the person has added`);
    user.shell('mv draft.txt final.txt');
    user.write('final.txt', `${TEXT}${mine.join('\n')}\n`);
    await expectAuthors(user, worktree, 'final.txt', [...BY_AGENT, ...mine.map((line) => `me: ${line}`)]);
  });

  it('into another directory, with git mv, and with names that git quotes', async () => {
    for (const committed of [false, true]) {
      const [user, worktree] = await drafted();
      if (committed) await commit(user, worktree, 'Draft');
      let before = 'draft.txt';
      for (const name of ['docs/deep/final.txt', 'it is "quoted".txt', 'line\nfeed.txt', '-dash.txt', 'grüße.txt']) {
        user.write(name, user.read(before));
        user.remove(before);
        expect(await whose(worktree, user, name)).toEqual(BY_AGENT);
        before = name;
      }
      await expectAuthors(user, worktree, before, BY_AGENT);
    }
    for (const committed of [false, true]) {
      const [user, worktree] = await drafted();
      user.git('add', '-A');
      if (committed) await commit(user, worktree, 'Draft');
      user.git('mv', 'draft.txt', 'final.txt');
      await expectAuthors(user, worktree, 'final.txt', BY_AGENT);
    }
  });

  it('although the old name is in use again', async () => {
    for (const committed of [false, true]) {
      const [user, worktree] = await drafted();
      if (committed) await commit(user, worktree, 'Draft');
      user.shell('mv draft.txt final.txt');
      user.write('draft.txt', 'quite another text of the person\n');
      expect(await whose(worktree, user, 'draft.txt')).toEqual(['me: quite another text of the person']);
      await expectAuthors(user, worktree, 'final.txt', BY_AGENT);
    }
  });

  it('over another file', async () => {
    for (const committed of [false, true]) {
      const [user, worktree] = await drafted();
      if (committed) await commit(user, worktree, 'Draft');
      user.shell('mv draft.txt README.md; echo one more of mine >> README.md');
      await expectAuthors(user, worktree, 'README.md', [...BY_AGENT, 'me: one more of mine']);
    }
  });

  it('twice, and back to where it was', async () => {
    const [user, worktree] = await drafted();
    user.shell('mv draft.txt second.txt');
    await take(worktree, { kind: 'prompt', name: 'seen', by: 'human', session: null, agent: null, turn: null });
    user.shell('mv second.txt third.txt');
    expect(await whose(worktree, user, 'third.txt')).toEqual(BY_AGENT);
    user.shell('mv third.txt draft.txt');
    await expectAuthors(user, worktree, 'draft.txt', BY_AGENT);
  });

  it('takes, of two files with the same text, the one of the same name', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('a/one.txt', TEXT), 's1');
    await turn(worktree, () => user.write('b/two.txt', TEXT), 's2');
    user.shell('mkdir c; mv a/one.txt c/one.txt; mv b/two.txt c/two.txt');
    expect(await whose(worktree, user, 'c/one.txt')).toEqual(BY_AGENT);
    await expectAuthors(
      user,
      worktree,
      'c/two.txt',
      AGENTS.map((line) => `s2: ${line}`),
    );
  });

  it('is the person’s where a file was copied that is still there, as for git’s own -C', async () => {
    for (const committed of [false, true]) {
      const [user, worktree] = await drafted();
      if (committed) await commit(user, worktree, 'Draft');
      user.shell('cp draft.txt copy.txt');
      await expectAuthors(
        user,
        worktree,
        'copy.txt',
        AGENTS.map((line) => `me: ${line}`),
      );
    }
  });

  it('is the person’s where nothing but a brace is like a file that is gone', async () => {
    const [user, worktree] = await drafted('function agent() {\n  return "of the agent";\n}\n');
    user.remove('draft.txt');
    user.write('other.txt', 'export class Mine {\n  readonly of = "the person";\n}\n');
    await expectAuthors(user, worktree, 'other.txt', ['me: export class Mine {', 'me:   readonly of = "the person";', 'me: }']);
  });

  it('is the person’s where an agent’s file is gone because another branch has none, whatever they have in common', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const notice = Array.from({ length: 8 }, (_, at) => `// paragraph ${at} of a notice that stands in every file`);
    user.git('checkout', '--quiet', '-b', 'work');
    await turn(worktree, () => user.write('agent.ts', `${notice.join('\n')}\nexport const agent = 1;\n`));
    await commit(user, worktree, 'By the agent');
    user.git('checkout', '--quiet', 'main');
    const mine = [...notice, ...Array.from({ length: 12 }, (_, at) => `export const numberOfMine${at} = ${at} + ${at} + ${at};`)];
    user.write('mine.ts', `${mine.join('\n')}\n`);
    const authors = mine.map((line) => `me: ${line}`);
    expect(await whose(worktree, user, 'mine.ts')).toEqual(authors);
    await take(worktree, { kind: 'prompt', name: 'seen', by: 'human', session: null, agent: null, turn: null });
    expect(await whose(worktree, user, 'mine.ts')).toEqual(authors);
    user.shell('cp mine.ts unseen.ts');
    await expectAuthors(user, worktree, 'mine.ts', authors);
    expect(await whose(worktree, user, 'unseen.ts')).toEqual(authors);
  });

  it('is nobody else’s where no checkpoint has ever seen it, nor anything else', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('mine.txt', TEXT);
    user.shell('mv mine.txt final.txt');
    expect(await whose(worktree, user, 'final.txt')).toEqual(AGENTS.map((line) => `me: ${line}`));
    await turn(worktree, () => user.write('draft.txt', 'of the agent\n'));
    user.shell('mv final.txt again.txt');
    await expectAuthors(
      user,
      worktree,
      'again.txt',
      AGENTS.map((line) => `me: ${line}`),
    );
  });

  it('finds it beside binary files and huge ones that are gone too', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const huge = Array.from({ length: 60_000 }, (_, at) => `line ${at} of something huge`);
    await turn(worktree, () => {
      user.write('draft.txt', TEXT);
      user.write('picture.bin', Buffer.concat([Buffer.from(TEXT), Buffer.from([0, 1, 2])]));
      user.write('huge.txt', `${huge.join('\n')}\n`);
    });
    user.shell('mv draft.txt final.txt; mv picture.bin moved.bin; mv huge.txt giant.txt; echo mine, and no more >> giant.txt');
    expect(await blameFile(worktree, user.path('moved.bin'))).toBe(null);
    const giant = await blameFile(worktree, user.path('giant.txt'));
    expect(giant?.filter(({ session }) => session !== 's1').map(({ text }) => text)).toEqual(['mine, and no more']);
    await expectAuthors(user, worktree, 'final.txt', BY_AGENT);
  });

  it('of a text that is too large to be compared, as long as it was only moved', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const large = Array.from({ length: 600 }, (_, at) => `${at} is a line of what is too large to be compared `.repeat(200));
    user.write('large.txt', `${large[0]}\n`);
    user.commit('Large');
    await turn(worktree, () => user.write('large.txt', `${large.join('\n')}\n`));
    user.shell('mv large.txt final.txt');
    const authors = async (file: string) => new Set((await blameFile(worktree, user.path(file)))?.slice(1).map(({ session }) => session));
    expect(await authors('final.txt')).toEqual(new Set(['s1']));
    user.shell('mv final.txt again.txt; echo mine >> again.txt');
    expect(await authors('again.txt')).toEqual(new Set([null]));
  });

  it('also where no hook of ours saw the commit', async () => {
    const [user, worktree] = await drafted();
    user.shell('mv draft.txt final.txt');
    user.commit('Moved');
    expect(await whose(worktree, user, 'final.txt')).toEqual(BY_AGENT);
  });
});

describe('blame in a linked working tree', () => {
  async function linked(user: Scratch): Promise<[Scratch, Worktree]> {
    user.git('worktree', 'add', '--quiet', '--detach', '../linked');
    const there = new Scratch(user.home, join(user.home, 'linked'));
    return [there, await there.worktree()];
  }

  it('knows the lines of a session that worked in another, which came by a stash', async () => {
    const [user, worktree] = await drafted();
    const [there, placeThere] = await linked(user);
    await turn(placeThere, () => there.write('other.txt', 'of another agent\n'), 's2');
    user.write('draft.txt', `${TEXT}mine, at the end of it\n`);
    user.git('stash', 'push', '--quiet', '--include-untracked');
    there.git('stash', 'pop', '--quiet');
    const expected = [...BY_AGENT, 'me: mine, at the end of it'];
    expect(await whose(placeThere, there, 'draft.txt')).toEqual(expected);
    await take(placeThere, { kind: 'prompt', name: 'seen', by: 'human', session: null, agent: null, turn: null });
    expect(await whose(placeThere, there, 'draft.txt')).toEqual(expected);
    there.shell('mv draft.txt final.txt');
    expect(await whose(placeThere, there, 'final.txt')).toEqual(expected);
    expect(await whose(worktree, user, 'README.md')).toEqual(['me: read me']);
  });

  it('knows them also after a merge and a move', async () => {
    const [user, worktree] = await drafted();
    const [there, placeThere] = await linked(user);
    await turn(placeThere, () => there.write('other.txt', 'of another agent\n'), 's2');
    await commit(user, worktree, 'Draft');
    there.git('merge', '--quiet', 'main');
    await take(placeThere, { kind: 'prompt', name: 'seen', by: 'human', session: null, agent: null, turn: null });
    there.shell('mv draft.txt final.txt');
    expect(await whose(placeThere, there, 'final.txt')).toEqual(BY_AGENT);
    await take(placeThere, { kind: 'prompt', name: 'seen', by: 'human', session: null, agent: null, turn: null });
    expect(await whose(placeThere, there, 'final.txt')).toEqual(BY_AGENT);
    await expectAuthors(there, placeThere, 'final.txt', BY_AGENT);
  });

  it('leaves a person’s own lines here to the person', async () => {
    const [user] = await drafted('{\n  agent of the other tree\n}\n');
    const [there, placeThere] = await linked(user);
    await turn(placeThere, () => there.write('other.txt', 'of another agent\n'), 's2');
    there.write('draft.txt', '{\n  mine in this tree\n}\n');
    expect(await whose(placeThere, there, 'draft.txt')).toEqual(['me: {', 'me:   mine in this tree', 'me: }']);
  });

  it('leaves a person’s line to the person that an agent happens to have written in another, as anybody may', async () => {
    const lines = ['first line of the file', '  if (of the agent) {', '    return null;', '  }', 'last line of the file'];
    const user = scratch();
    user.write('file.ts', `${lines[0]}\n${lines[4]}\n`);
    user.commit('File');
    const worktree = await user.worktree();
    const [there, placeThere] = await linked(user);
    await turn(worktree, () => user.write('file.ts', `${lines.join('\n')}\n`));
    await turn(placeThere, () => there.write('other.txt', 'of another agent\n'), 's2');
    const mine = [lines[0], '  while (it is mine) {', '    work();', ...lines.slice(2)];
    there.write('file.ts', `${mine.join('\n')}\n`);
    await expectAuthors(
      there,
      placeThere,
      'file.ts',
      mine.map((line) => `me: ${line}`),
    );
  });

  it('knows them also where they were moved there and committed, and git itself sees no move', async () => {
    // Too few letters for `git blame -C`.
    const lines = ['alpha s1', 'beta s1', 'gamma s1'];
    const [user, worktree] = await drafted(`${lines.join('\n')}\n`);
    await commit(user, worktree, 'Draft');
    const [there, placeThere] = await linked(user);
    await turn(
      placeThere,
      () => {
        there.shell('mv draft.txt final.txt');
        there.write('draft.txt', 'something else by s2\n');
      },
      's2',
    );
    const expected = lines.map((line) => `s1: ${line}`);
    expect(await whose(placeThere, there, 'final.txt')).toEqual(expected);
    await expectAuthors(there, placeThere, 'final.txt', expected);
    expect(await whose(placeThere, there, 'draft.txt')).toEqual(['s2: something else by s2']);
  });

  it('leaves to the person what an agent there has from here', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('mine.txt', 'mine before anybody looked\n');
    await turn(worktree, () => user.write('other.txt', 'of the agent\n'));
    user.write('mine.txt', 'mine before anybody looked\nmine, and seen by a checkpoint\n');
    await turn(worktree, () => user.write('other.txt', 'of the agent\nonce more\n'));
    const [there, placeThere] = await linked(user);
    await turn(placeThere, () => there.write('mine.txt', user.read('mine.txt')), 's2');
    expect(await whose(worktree, user, 'mine.txt')).toEqual(['me: mine before anybody looked', 'me: mine, and seen by a checkpoint']);
  });
});
