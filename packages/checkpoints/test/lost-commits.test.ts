import { expect, it } from 'vitest';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { formatMessage } from '../src/checkpoint-message.ts';
import { expiredCheckpoints } from '../src/clean/expired.ts';
import { findCheckpoint, listCheckpoints } from '../src/history/listing.ts';
import { findLinks, resolveLink } from '../src/links/resolve.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { turn, whose } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

const ABOUT = { kind: 'commit', name: 'Feature', by: 'human', session: 's1', agent: 'someone', turn: null } as const;
const LINES = 'an agent wrote this\nand this too\n';

/** An agent's commit on a branch of which HEAD is no more by the time that its checkpoint is taken; merged by a squash, then deleted. */
async function squashed(user: Scratch, worktree: Worktree): Promise<string> {
  user.git('switch', '--quiet', '-c', 'feature');
  await turn(worktree, () => user.write('feature.txt', LINES));
  const commit = user.commit('Feature');
  user.git('switch', '--quiet', 'main');
  const taken = await take(worktree, { ...ABOUT, always: true, linked: commit });
  expect(taken).toMatchObject({ result: 'made', checkpoint: { linked: commit } });
  user.git('merge', '--quiet', '--squash', 'feature');
  user.git('commit', '--quiet', '-m', 'Feature, squashed');
  return commit;
}

function forget(user: Scratch): void {
  user.git('branch', '-D', 'feature');
  user.git('reflog', 'expire', '--expire=now', '--all');
  user.git('gc', '--quiet', '--prune=now');
}

async function expectAllWell(user: Scratch, worktree: Worktree): Promise<void> {
  expect(await whose(worktree, user, 'feature.txt')).toEqual(['s1: an agent wrote this', 's1: and this too']);
  expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 2, human: 0 });
  expect(await findLinks(worktree)).toMatchObject({ unkept: [] });
  expect((await expiredCheckpoints(worktree, new Date(0))).checkpoints).toEqual([]);
}

it('a link outlives the branch of its commit, gc included, and a squash is still known by it', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const commit = await squashed(user, worktree);
  forget(user);
  expect(user.git('cat-file', '-t', commit)).toBe('commit');
  expect(await resolveLink(worktree, 'HEAD')).toMatchObject({ evidence: 'tree' });
  await expectAllWell(user, worktree);
});

it('where an older version let the commit go, everything goes on without it', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const commit = await squashed(user, worktree);
  const linked = (await listCheckpoints(worktree.git, worktree.repository)).find((one) => one.linked === commit);
  if (!linked) throw new Error('no checkpoint of the commit');
  // As it was written then: with HEAD as the only parent.
  const old = user.git('commit-tree', linked.tree, '-p', linked.base ?? '', '-m', formatMessage(linked).trimEnd());
  user.git('update-ref', linked.ref, old);
  for (const pack of user.shell('ls .git/objects/pack/*.keep').split('\n').filter(Boolean)) user.shell(`rm ${pack}`);
  forget(user);
  expect(() => user.git('cat-file', '-e', commit)).toThrow();
  expect((await findCheckpoint(worktree.git, worktree.repository, linked.id))?.linked).toBe(commit);
  await expectAllWell(user, worktree);
});
