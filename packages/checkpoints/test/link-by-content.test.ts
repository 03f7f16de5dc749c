import { describe, expect, it } from 'vitest';
import { attributeCommit, findLinks, resolveLink } from '../src/index.ts';
import { commit, turn, whose } from './authors.ts';
import { Scratch, scratch } from './scratch.ts';

describe('a link that only content tells of', () => {
  it('never leads from a person’s commit to a later one on top of it, in which an agent changed a mode', async () => {
    const user = scratch();
    const place = await user.place();
    user.write('tool.sh', 'echo mine\n');
    const mine = user.commit('Mine');
    await turn(place, () => user.shell('chmod +x tool.sh'));
    await commit(user, place, 'The agent’s');
    expect(await resolveLink(place, 'HEAD')).toMatchObject({ evidence: 'commit' });
    expect(await resolveLink(place, mine)).toBe(null);
    expect((await findLinks(place)).found).toEqual([]);
  });

  it('nor to one in which an agent made the same change once more', async () => {
    const user = scratch();
    const place = await user.place();
    user.write('README.md', 'mine\n');
    const mine = user.commit('Mine');
    user.git('revert', '--no-edit', 'HEAD');
    await turn(place, () => user.write('README.md', 'mine\n'));
    await commit(user, place, 'The agent’s');
    expect(await resolveLink(place, mine)).toBe(null);
    expect((await attributeCommit(place, mine))?.checkpoints).toEqual([]);
  });

  it('leads from a squash to its parts, though a later commit on top of it has one of its files too', async () => {
    const user = scratch();
    const place = await user.place();
    const linked = user.path('../linked');
    await turn(place, () => user.write('new.txt', 'agent\n'), 's1');
    await commit(user, place, 'New');
    await turn(place, () => user.write('tool.sh', 'echo agent\n'), 's2');
    await commit(user, place, 'Tool');
    const parts = (await Promise.all(['HEAD~1', 'HEAD'].map((rev) => resolveLink(place, rev)))).flatMap((link) => link?.ids ?? []);
    user.git('worktree', 'add', '--quiet', '-b', 'other', linked);
    const there = new Scratch(user.home, linked);
    const other = await there.place();
    there.git('reset', '--quiet', '--soft', 'HEAD~2');
    const squash = there.commit('Two in one');
    await turn(other, () => there.shell('chmod +x tool.sh'), 's3');
    await commit(there, other, 'Mode');
    expect((await resolveLink(other, squash))?.ids).toEqual(parts);
    expect(await whose(other, there, 'new.txt', squash)).toEqual(['s1: agent']);
  });
});
