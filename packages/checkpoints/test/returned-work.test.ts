import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkCommit, markMessage } from '../src/links/link.ts';
import type { Worktree } from '../src/worktree.ts';
import { turn } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

const idsIn = (message: string): string[] => [...message.matchAll(/^Piton-Checkpoint: (\w+)$/gm)].map(([, id = '']) => id);

/** What git and its hooks do for a commit of what is tracked; gives back the sessions whose checkpoints the commit got. */
async function commit(user: Scratch, worktree: Worktree, { hooks = true, message = 'Change it', options = [] as string[] } = {}) {
  user.git('add', '-u');
  user.write('.git/COMMIT_EDITMSG', `${message}\n`);
  const file = join(worktree.repository.gitDir, 'COMMIT_EDITMSG');
  if (hooks) await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message' });
  user.git('commit', '--quiet', '--no-verify', '-F', '.git/COMMIT_EDITMSG', ...options);
  return linked(worktree);
}

const linked = async (worktree: Worktree): Promise<(string | null)[] | undefined> =>
  (await linkCommit(worktree))?.made.map(({ session }) => session);

const messageOf = (user: Scratch): string => user.git('log', '-1', '--format=%B');

/** Into a stash and out of it again; a turn in between, in which nothing happens, sees that it is gone, and nobody that it is back. */
async function stashed(user: Scratch, worktree: Worktree): Promise<void> {
  user.git('stash', '--quiet');
  await turn(worktree, () => {}, 'looks on');
  user.git('stash', 'pop', '--quiet');
}

describe('a commit of work that went away and came back without anybody looking', () => {
  it('is linked, with hooks and without; and once', async () => {
    for (const hooks of [true, false]) {
      const user = scratch();
      const worktree = await user.worktree();
      await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
      await stashed(user, worktree);
      expect(await commit(user, worktree, { hooks })).toEqual(['s1']);
      expect(idsIn(messageOf(user))).toHaveLength(hooks ? 1 : 0);
      for (const head of ['the old', 'the agent’s again']) {
        user.git('revert', '--no-edit', 'HEAD');
        expect(await linked(worktree), head).toEqual([]);
      }
    }
  });

  it('is linked beside other work that waits, which goes on waiting', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    await stashed(user, worktree);
    await turn(worktree, () => user.write('other.txt', 'agent\n'), 's2');
    user.git('stash', '--quiet');
    await turn(worktree, () => {}, 's3');
    user.git('stash', 'pop', '--quiet');
    expect(await commit(user, worktree)).toEqual(['s1']);
    user.git('add', '-A');
    expect(await commit(user, worktree)).toEqual(['s2']);
  });

  it('has a line for it also where an amend brings the old message along', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    await commit(user, worktree);
    await turn(worktree, () => user.write('README.md', 'other\n'), 's2');
    await stashed(user, worktree);
    const message = messageOf(user);
    expect(await commit(user, worktree, { message, options: ['--amend'] })).toEqual(['s2']);
    expect(idsIn(messageOf(user))).toEqual([...idsIn(message), expect.any(String)]);
  });

  it('is not a person’s deletion, though a person once deleted what the agent had made there', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await turn(worktree, () => user.write('new.txt', 'agent\n'));
    user.remove('new.txt');
    await turn(worktree, () => {}, 'looks on');
    user.write('new.txt', 'mine\n');
    user.git('add', 'new.txt');
    expect(await commit(user, worktree)).toEqual([]);
    user.remove('new.txt');
    expect(await commit(user, worktree)).toEqual([]);
  });
});
