import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkCommit, markMessage, type Place } from '../src/index.ts';
import { turn } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

const idsIn = (message: string): string[] => [...message.matchAll(/^Piton-Checkpoint: (\w+)$/gm)].map(([, id = '']) => id);

/** What git and its hooks do for a commit of what is tracked; gives back the sessions whose checkpoints the commit got. */
async function commit(user: Scratch, place: Place, { hooks = true, message = 'Change it', options = [] as string[] } = {}) {
  user.git('add', '-u');
  user.write('.git/COMMIT_EDITMSG', `${message}\n`);
  const file = join(place.repository.gitDir, 'COMMIT_EDITMSG');
  if (hooks) await markMessage(place, { hook: 'prepare-commit-msg', file, source: 'message' });
  user.git('commit', '--quiet', '--no-verify', '-F', '.git/COMMIT_EDITMSG', ...options);
  return linked(place);
}

const linked = async (place: Place): Promise<(string | null)[] | undefined> =>
  (await linkCommit(place))?.made.map(({ session }) => session);

const messageOf = (user: Scratch): string => user.git('log', '-1', '--format=%B');

/** Into a stash and out of it again; a turn in between, in which nothing happens, sees that it is gone, and nobody that it is back. */
async function stashed(user: Scratch, place: Place): Promise<void> {
  user.git('stash', '--quiet');
  await turn(place, () => {}, 'looks on');
  user.git('stash', 'pop', '--quiet');
}

describe('a commit of work that went away and came back without anybody looking', () => {
  it('is linked, with hooks and without; and once', async () => {
    for (const hooks of [true, false]) {
      const user = scratch();
      const place = await user.place();
      await turn(place, () => user.write('src/main.ts', 'agent\n'));
      await stashed(user, place);
      expect(await commit(user, place, { hooks })).toEqual(['s1']);
      expect(idsIn(messageOf(user))).toHaveLength(hooks ? 1 : 0);
      for (const head of ['the old', 'the agent’s again']) {
        user.git('revert', '--no-edit', 'HEAD');
        expect(await linked(place), head).toEqual([]);
      }
    }
  });

  it('is linked beside other work that waits, which goes on waiting', async () => {
    const user = scratch();
    const place = await user.place();
    await turn(place, () => user.write('src/main.ts', 'agent\n'));
    await stashed(user, place);
    await turn(place, () => user.write('other.txt', 'agent\n'), 's2');
    user.git('stash', '--quiet');
    await turn(place, () => {}, 's3');
    user.git('stash', 'pop', '--quiet');
    expect(await commit(user, place)).toEqual(['s1']);
    user.git('add', '-A');
    expect(await commit(user, place)).toEqual(['s2']);
  });

  it('has a line for it also where an amend brings the old message along', async () => {
    const user = scratch();
    const place = await user.place();
    await turn(place, () => user.write('src/main.ts', 'agent\n'));
    await commit(user, place);
    await turn(place, () => user.write('README.md', 'other\n'), 's2');
    await stashed(user, place);
    const message = messageOf(user);
    expect(await commit(user, place, { message, options: ['--amend'] })).toEqual(['s2']);
    expect(idsIn(messageOf(user))).toEqual([...idsIn(message), expect.any(String)]);
  });

  it('is not a person’s deletion, though a person once deleted what the agent had made there', async () => {
    const user = scratch();
    const place = await user.place();
    await turn(place, () => user.write('new.txt', 'agent\n'));
    user.remove('new.txt');
    await turn(place, () => {}, 'looks on');
    user.write('new.txt', 'mine\n');
    user.git('add', 'new.txt');
    expect(await commit(user, place)).toEqual([]);
    user.remove('new.txt');
    expect(await commit(user, place)).toEqual([]);
  });
});
