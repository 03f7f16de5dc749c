import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listCheckpoints } from '../src/history/listing.ts';
import { linkCommit, markMessage, recoverLink } from '../src/links/link.ts';
import { findLinks, type Repair, relinkRewritten, resolveLink, saveLinks } from '../src/links/resolve.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { type Scratch, scratch } from './scratch.ts';

const ABOUT = { name: 'Fix it', session: 's1', agent: 'someone', turn: 't1' } as const;

async function turn(worktree: Worktree, work: () => unknown, session = 's1'): Promise<void> {
  const about = { ...ABOUT, session };
  await beginTurn(worktree, about).done;
  work();
  await take(worktree, { ...about, kind: 'stop', by: 'agent' });
  await endTurn(worktree, session);
}

/** What the hooks do around a commit, in git's order, with the index that git names. */
async function commit(user: Scratch, worktree: Worktree, message: string, ...args: string[]) {
  const file = join(worktree.repository.gitDir, 'COMMIT_EDITMSG');
  user.write('.git/COMMIT_EDITMSG', `${message}\n`);
  const index = join(user.home, 'index-of-this-commit');
  user.shell(`cp -p .git/index '${index}'; ${args.includes('-a') ? `GIT_INDEX_FILE='${index}' git add -u` : ':'}`);
  const ids = await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message', indexFile: index });
  user.git('commit', '--quiet', '--no-verify', '-F', '.git/COMMIT_EDITMSG', ...args);
  const linked = await linkCommit(worktree, () => 'someone');
  if (!linked) throw new Error('no commit');
  return { ids, ...linked };
}

/** As `piton checkpoints repair` does it. */
async function repairLinks(worktree: Worktree): Promise<Repair> {
  const repair = await findLinks(worktree);
  await saveLinks(worktree, repair.found);
  return repair;
}

const bodyOf = (user: Scratch, rev = 'HEAD') => user.git('log', '-1', '--format=%B', rev);

describe('a commit', () => {
  it('with agents’ work gets a trailer, a checkpoint with that id, and is found by it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    const { ids, made, commit: sha } = await commit(user, worktree, 'Change it\n\nSigned-off-by: Ann <ann@example.org>', '-a');
    expect(ids).toHaveLength(1);
    expect(bodyOf(user)).toBe(`Change it\n\nSigned-off-by: Ann <ann@example.org>\nPiton-Checkpoint: ${ids[0]}`);
    expect(made.map(({ id, kind, session, agent, linked, base }) => ({ id, kind, session, agent, linked, base }))).toEqual([
      { id: ids[0], kind: 'commit', session: 's1', agent: 'someone', linked: sha, base: sha },
    ]);
    expect(await resolveLink(worktree, 'HEAD')).toEqual({ commit: sha, ids, evidence: 'trailer' });
    expect(readdirSync(join(worktree.state, 'reserved'))).toEqual([]);
  });

  it('of people alone gets none, also after the agent’s was committed', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    await commit(user, worktree, 'Agent', '-a');
    user.write('src/main.ts', 'mine\n');
    const { ids, made } = await commit(user, worktree, 'Mine', '-a');
    expect([ids, made, bodyOf(user)]).toEqual([[], [], 'Mine']);
    expect(await resolveLink(worktree, 'HEAD')).toBe(null);
  });

  it('of several sessions is linked to each', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'first\n'), 's1');
    await turn(worktree, () => user.write('README.md', 'second\n'), 's2');
    const { ids, made } = await commit(user, worktree, 'Both', '-a');
    expect(ids).toHaveLength(2);
    expect(made.map(({ session }) => session).sort()).toEqual(['s1', 's2']);
  });

  it('of a part of the work leaves the rest to the next', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => {
      user.write('src/main.ts', 'agent\n');
      user.write('README.md', 'agent\n');
    });
    user.git('add', 'README.md');
    expect((await commit(user, worktree, 'One half')).ids).toHaveLength(1);
    expect((await commit(user, worktree, 'Other half', '-a')).ids).toHaveLength(1);
    user.write('README.md', 'mine\n');
    expect((await commit(user, worktree, 'Mine', '-a')).ids).toEqual([]);
  });

  it('by the agent itself, in the middle of its turn, is linked; what it left out stays pending', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await beginTurn(worktree, ABOUT).done;
    user.write('src/main.ts', 'agent\n');
    user.write('README.md', 'agent\n');
    user.git('add', 'src/main.ts');
    const inTurn = await commit(user, worktree, 'By the agent');
    expect(inTurn.made.map(({ session, by }) => [session, by])).toEqual([['s1', 'agent']]);
    await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' });
    await endTurn(worktree, 's1');
    expect((await commit(user, worktree, 'The rest', '-a')).ids).toHaveLength(1);
  });

  it('whose message lost its line, or never had one, is linked by its content', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    user.git('commit', '--quiet', '-am', 'Without hooks');
    const linked = await linkCommit(worktree);
    expect(linked?.made.map(({ session }) => session)).toEqual(['s1']);
    expect((await resolveLink(worktree, 'HEAD'))?.evidence).toBe('commit');
  });

  it('of work that went away and came back, by a rewind undone or out of a stash, is linked', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    const [first] = await listCheckpoints(worktree.git, worktree.repository);
    await rewind(worktree, first?.id ?? '');
    user.write('README.md', 'mine\n');
    expect((await commit(user, worktree, 'Mine', '-a')).ids).toEqual([]);
    await undoRewind(worktree);
    user.git('stash', '--quiet');
    await turn(worktree, () => user.write('other.txt', 'agent\n'), 's2');
    user.git('stash', 'pop', '--quiet');
    await beginTurn(worktree, { ...ABOUT, session: 's3' }).done;
    await endTurn(worktree, 's3');
    expect((await commit(user, worktree, 'Agent', '-a')).made.map(({ session }) => session)).toEqual(['s1']);
    user.write('src/main.ts', 'mine again\n');
    expect((await commit(user, worktree, 'Mine', '-a')).ids).toEqual([]);
  });

  it('of a person’s own state, after the agent’s was taken back, is a person’s alone; of what it had built on it is not', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const goBack = async () => {
      const all = await listCheckpoints(worktree.git, worktree.repository);
      await rewind(worktree, all.findLast(({ kind, name }) => kind === 'prompt' && name === ABOUT.name)?.id ?? '');
    };
    user.write('src/main.ts', 'mine\n');
    await turn(worktree, () => user.git('checkout', '--quiet', '.'));
    await goBack();
    expect([user.read('src/main.ts'), (await commit(user, worktree, 'Mine', '-a')).ids]).toEqual(['mine\n', []]);

    await turn(worktree, () => user.write('src/main.ts', 'mine\nagent\n'));
    user.write('src/main.ts', 'mine\nagent\nmine again\n');
    await turn(worktree, () => user.git('checkout', '--quiet', '.'), 's2');
    await goBack();
    expect(user.read('src/main.ts')).toBe('mine\nagent\nmine again\n');
    expect((await commit(user, worktree, 'Both', '-a')).made.map(({ session }) => session)).toContain('s1');
  });

  it('that was abandoned gets no line, and its reservation is dropped', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    const file = user.path('.git/COMMIT_EDITMSG');
    user.write('.git/COMMIT_EDITMSG', '\n# Please enter the commit message\n# On branch main\n');
    user.git('add', '-u');
    expect(await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: '' })).toEqual([]);
    expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '' })).toEqual([]);
    user.write('.git/COMMIT_EDITMSG', 'Written in an editor\n# comment\n# ------------------------ >8 ------------------------\ndiff\n');
    expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '' })).toHaveLength(1);
    expect(user.read('.git/COMMIT_EDITMSG')).toMatch(/^Written in an editor\n\nPiton-Checkpoint: [0-9A-Z]{26}\n# comment/);
    expect(readdirSync(join(worktree.state, 'reserved'))).toHaveLength(1);
    await linkCommit({ ...worktree, now: () => Date.now() + 25 * 60 * 60 * 1000 });
    expect(readdirSync(join(worktree.state, 'reserved'))).toEqual([]);
    expect(await listCheckpoints(worktree.git, worktree.repository)).toHaveLength(2);
  });

  it('row 1, index: marking a message takes no lock and changes no index', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    user.git('add', '-u');
    user.write('.git/index.lock', '');
    const before = user.shell('cksum .git/index');
    user.write('.git/COMMIT_EDITMSG', 'x\n');
    expect(await markMessage(worktree, { hook: 'commit-msg', file: user.path('.git/COMMIT_EDITMSG'), source: '' })).toHaveLength(1);
    expect(user.shell('cksum .git/index')).toBe(before);
  });

  it('row 21, trailer parsing: an id that is not ours counts for nothing', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    await commit(user, worktree, 'A real one', '-a');
    user.git('commit', '--quiet', '--allow-empty', '-m', 'Quoted\n\nPiton-Checkpoint: 01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect(await linkCommit(worktree)).toEqual({ commit: user.git('rev-parse', 'HEAD'), made: [], carried: [], parts: [] });
    expect(await resolveLink(worktree, 'HEAD')).toBe(null);
  });
});

describe('a link', () => {
  /** Two commits of agents' work on a branch, the second on top of the first; trailers only if wanted. */
  async function twoCommits(trailers: boolean) {
    const user = scratch();
    const worktree = await user.worktree();
    user.git('checkout', '--quiet', '-b', 'work');
    const ids: string[] = [];
    for (const [file, text] of [
      ['src/main.ts', 'one\nagent\nthree\n'],
      ['src/new.ts', 'new\n'],
    ] as const) {
      await turn(worktree, () => user.write(file, text));
      user.git('add', '-A');
      if (trailers) ids.push(...(await commit(user, worktree, `Change ${file}`)).ids);
      else {
        user.git('commit', '--quiet', '-m', `Change ${file}`);
        ids.push(...((await linkCommit(worktree))?.made.map(({ id }) => id) ?? []));
      }
    }
    return { user, worktree, ids };
  }

  it('row 19, amend: is kept without a trailer, by post-rewrite', async () => {
    const { user, worktree, ids } = await twoCommits(false);
    const before = user.git('rev-parse', 'HEAD');
    user.write('src/new.ts', 'new\nand more\n');
    user.git('commit', '--quiet', '-a', '--amend', '-m', 'Amended');
    await relinkRewritten(worktree, `${before} ${user.git('rev-parse', 'HEAD')}\n`);
    expect(await resolveLink(worktree, 'HEAD')).toEqual({ commit: user.git('rev-parse', 'HEAD'), ids: [ids[1]], evidence: 'rewritten' });
  });

  it('row 19, amend: is kept also where the new commit has one of its own, be it named or not', async () => {
    for (const trailers of [true, false]) {
      const { user, worktree, ids } = await twoCommits(trailers);
      const before = user.git('rev-parse', 'HEAD');
      await turn(worktree, () => user.write('src/other.ts', 'other\n'), 's2');
      user.git('add', '-A');
      if (trailers) await commit(user, worktree, 'Said otherwise', '--amend');
      else {
        user.git('commit', '--quiet', '--amend', '-m', 'Said otherwise');
        await linkCommit(worktree);
      }
      await relinkRewritten(worktree, `${before} ${user.git('rev-parse', 'HEAD')}\n`);
      const all = await listCheckpoints(worktree.git, worktree.repository);
      const second = all.findLast(({ kind, session }) => kind === 'commit' && session === 's2')?.id;
      expect((await resolveLink(worktree, 'HEAD'))?.ids).toEqual([ids[1], second]);
      expect((await findLinks(worktree)).lost).toEqual([]);
    }
  });

  it('row 19, amend: with its old message takes in another session, and names it once', async () => {
    const { user, worktree, ids } = await twoCommits(true);
    await turn(worktree, () => user.write('src/other.ts', 'other\n'), 's2');
    user.git('add', '-A');
    // As git calls them for `--amend --no-edit`: the message is that of HEAD, and only commit-msg comes too.
    const file = user.path('.git/COMMIT_EDITMSG');
    user.write('.git/COMMIT_EDITMSG', `${bodyOf(user)}\n`);
    expect(await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'commit' })).toEqual([]);
    const [second = ''] = await markMessage(worktree, { hook: 'commit-msg', file, source: '' });
    expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '', trailer: 'always' })).toEqual([]);
    user.git('commit', '--quiet', '--no-verify', '--amend', '-F', '.git/COMMIT_EDITMSG');
    const linked = await linkCommit(worktree);
    expect(bodyOf(user)).toMatch(new RegExp(`^Piton-Checkpoint: ${ids[1]}\nPiton-Checkpoint: ${second}$`, 'm'));
    expect([linked?.made.map(({ id, session }) => [id, session]), linked?.carried]).toEqual([[[second, 's2']], [ids[1]]]);
  });

  it('row 19, amend: with its old message and without hooks takes in another session by its content, and only that', async () => {
    const { user, worktree, ids } = await twoCommits(true);
    user.write('src/new.ts', 'new, and mine\n');
    user.git('commit', '--quiet', '--no-verify', '-a', '--amend', '--no-edit');
    expect(await linkCommit(worktree)).toMatchObject({ made: [], carried: [ids[1]] });
    await turn(worktree, () => user.write('src/other.ts', 'other\n'), 's2');
    user.git('add', '-A');
    user.git('commit', '--quiet', '--no-verify', '--amend', '--no-edit');
    const linked = await linkCommit(worktree);
    expect([linked?.made.map(({ session }) => session), linked?.carried]).toEqual([['s2'], [ids[1]]]);
  });

  it('row 19, amend: with its old message and more of the same session has a checkpoint of its own, and no second line', async () => {
    const { user, worktree, ids } = await twoCommits(true);
    const message = bodyOf(user);
    await turn(worktree, () => user.write('src/new.ts', 'new\nand more\n'));
    const again = await commit(user, worktree, message, '-a', '--amend');
    expect([again.ids, bodyOf(user), again.carried]).toEqual([[], message, [ids[1]]]);
    expect(again.made.map(({ session, linked }) => [session, linked])).toEqual([['s1', again.commit]]);
    expect((await resolveLink(worktree, 'HEAD'))?.ids).toEqual([ids[1], again.made[0]?.id]);
  });

  it('row 19, amend: of the message alone is found by the tree', async () => {
    const { user, worktree, ids } = await twoCommits(false);
    user.git('commit', '--quiet', '--amend', '-m', 'Another message');
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ ids: [ids[1]], evidence: 'tree' });
  });

  it('row 18, rebase: is found by the patch, and repaired', async () => {
    const { user, worktree, ids } = await twoCommits(false);
    user.git('checkout', '--quiet', 'main');
    user.write('README.md', 'upstream\n');
    user.commit('upstream');
    user.git('rebase', '--quiet', 'main', 'work');
    user.git('reflog', 'expire', '--expire=now', '--all');
    user.git('gc', '--quiet', '--prune=now');
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ ids: [ids[1]], evidence: 'patch' });
    const { found, lost } = await repairLinks(worktree);
    expect([found.map(({ evidence }) => evidence), lost]).toEqual([['patch', 'patch'], []]);
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ ids: [ids[1]], evidence: 'rewritten' });
    expect((await repairLinks(worktree)).found).toEqual([]);
  });

  it('row 20, squash: several trailers, indented as git writes them', async () => {
    const { user, worktree, ids } = await twoCommits(true);
    user.git('checkout', '--quiet', 'main');
    user.git('merge', '--quiet', '--squash', 'work');
    user.git('commit', '--quiet', '--no-edit');
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ ids: [...ids].sort(), evidence: 'trailer' });
  });

  it('row 20, squash: fixup keeps the message of the first alone, and the links of all', async () => {
    const { user, worktree, ids } = await twoCommits(true);
    const [second, first] = user.git('rev-list', '-2', 'HEAD').split('\n');
    const message = bodyOf(user, 'HEAD~1');
    user.git('reset', '--quiet', '--soft', 'HEAD~2');
    user.git('commit', '--quiet', '-m', message);
    const head = user.git('rev-parse', 'HEAD');
    await relinkRewritten(worktree, `${first} ${head}\n${second} ${head}\n`);
    expect((await resolveLink(worktree, 'HEAD'))?.ids).toEqual(ids);
    expect((await findLinks(worktree)).lost).toEqual([]);
  });

  it('row 20, squash by a forge that drops every line: by the blobs', async () => {
    const { user, worktree, ids } = await twoCommits(false);
    user.git('checkout', '--quiet', 'main');
    user.git('merge', '--quiet', '--squash', 'work');
    user.git('commit', '--quiet', '-m', 'Squashed (#12)');
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ ids: [...ids].sort(), evidence: 'blobs' });
  });

  it('row 20, cherry-pick: with and without its line', async () => {
    for (const trailers of [true, false]) {
      const { user, worktree, ids } = await twoCommits(trailers);
      user.git('checkout', '--quiet', 'main');
      user.git('cherry-pick', 'work');
      expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ ids: [ids[1]], evidence: trailers ? 'trailer' : 'patch' });
      expect((await linkCommit(worktree))?.made).toEqual([]);
    }
  });

  it('that was promised, and not made since whoever was to make it died, is made when the commit is next seen', async () => {
    const { user, worktree, promised } = await promisedCommit();
    expect(await resolveLink(worktree, 'HEAD')).toBe(null);
    const recovered = await recoverLink(worktree, () => 'someone');
    const head = user.git('rev-parse', 'HEAD');
    expect(recovered?.made.map(({ id, linked, session }) => ({ id, linked, session }))).toEqual([
      { id: promised, linked: head, session: 's1' },
    ]);
    expect(await resolveLink(worktree, 'HEAD')).toEqual({ commit: head, ids: [promised], evidence: 'trailer' });
    expect(await recoverLink(worktree)).toBe(null);
  });

  it('that was promised, and can no longer be made, is reported', async () => {
    const { user, worktree, promised } = await promisedCommit();
    const commit = user.git('rev-parse', 'HEAD');
    user.git('commit', '--quiet', '--allow-empty', '-m', 'Another on top');
    expect(await recoverLink(worktree)).toBe(null);
    expect((await repairLinks(worktree)).unkept).toEqual([{ commit, ids: [promised] }]);
  });

  it('is found again without a word, where only asked for', async () => {
    const { user, worktree, ids } = await twoCommits(false);
    user.git('commit', '--quiet', '--amend', '-m', 'Another message');
    for (let asked = 0; asked < 2; asked++) expect((await findLinks(worktree)).found).toMatchObject([{ ids: [ids[1]], evidence: 'tree' }]);
  });

  /** The message names a checkpoint, and then nobody hears of the commit. */
  async function promisedCommit() {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    user.git('add', '-u');
    user.write('.git/COMMIT_EDITMSG', 'Change it\n');
    const file = user.path('.git/COMMIT_EDITMSG');
    const [promised = ''] = await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message' });
    user.git('commit', '--quiet', '-F', '.git/COMMIT_EDITMSG');
    return { user, worktree, promised };
  }

  it('that leads nowhere any more is reported', async () => {
    const { user, worktree, ids } = await twoCommits(false);
    user.git('reset', '--quiet', '--hard', 'HEAD~1');
    expect((await repairLinks(worktree)).lost).toEqual([ids[1]]);
  });
});
