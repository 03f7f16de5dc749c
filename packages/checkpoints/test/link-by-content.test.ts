import { describe, expect, it } from 'vitest';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { findLinks, resolveLink } from '../src/links/resolve.ts';
import { commit, turn, whose } from './authors.ts';
import { Scratch, scratch } from './scratch.ts';

describe('a link that only content tells of', () => {
  it('never leads from a person’s commit to a later one on top of it, in which an agent changed a mode', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('tool.sh', 'echo mine\n');
    const mine = user.commit('Mine');
    await turn(worktree, () => user.shell('chmod +x tool.sh'));
    await commit(user, worktree, 'The agent’s');
    expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ evidence: 'commit' });
    expect(await resolveLink(worktree, mine)).toBe(null);
    expect((await findLinks(worktree)).found).toEqual([]);
  });

  it('nor to one in which an agent made the same change once more', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('README.md', 'mine\n');
    const mine = user.commit('Mine');
    user.git('revert', '--no-edit', 'HEAD');
    await turn(worktree, () => user.write('README.md', 'mine\n'));
    await commit(user, worktree, 'The agent’s');
    expect(await resolveLink(worktree, mine)).toBe(null);
    expect((await attributeCommit(worktree, mine))?.checkpoints).toEqual([]);
  });

  it('leads from a squash to its parts, though a later commit on top of it has one of its files too', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const linked = user.path('../linked');
    await turn(worktree, () => user.write('new.txt', 'agent\n'), 's1');
    await commit(user, worktree, 'New');
    await turn(worktree, () => user.write('tool.sh', 'echo agent\n'), 's2');
    await commit(user, worktree, 'Tool');
    const parts = (await Promise.all(['HEAD~1', 'HEAD'].map((rev) => resolveLink(worktree, rev)))).flatMap((link) => link?.ids ?? []);
    user.git('worktree', 'add', '--quiet', '-b', 'other', linked);
    const there = new Scratch(user.home, linked);
    const other = await there.worktree();
    there.git('reset', '--quiet', '--soft', 'HEAD~2');
    const squash = there.commit('Two in one');
    await turn(other, () => there.shell('chmod +x tool.sh'), 's3');
    await commit(there, other, 'Mode');
    expect((await resolveLink(other, squash))?.ids).toEqual(parts);
    expect(await whose(other, there, 'new.txt', squash)).toEqual(['s1: agent']);
  });
});
