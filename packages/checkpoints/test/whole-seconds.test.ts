import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { take } from '../src/snapshot/take.ts';
import { isAsSeen } from '../src/snapshot/working-file.ts';
import { describeOn, mounted } from './mounted.ts';
import { directory, Scratch } from './scratch.ts';

const STOP = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;
const ROUNDS = 12;
const WHOLE_SECONDS = 'whole seconds (ext2, inodes of 128 bytes)';

it('reads a file again that changed just before it was last seen: time stamps have a grain', () => {
  const seen = (ms: number, nanoseconds = 1n) => ['4', '1', `${1_000_000n * 1000n + nanoseconds}`, '7', ms] as const;
  expect(isAsSeen(seen(9000), seen(1050))).toBe(false);
  expect(isAsSeen(seen(9000), seen(1200))).toBe(true);
  // G8: a file system that counts whole seconds, and one that counts every other.
  for (const ms of [1200, 1999, 2050, 2999]) expect(isAsSeen(seen(9000, 0n), seen(ms, 0n))).toBe(false);
  expect(isAsSeen(seen(9000, 0n), seen(3200, 0n))).toBe(true);
  expect(isAsSeen(['5', '1', '1', '7', 9000], seen(1200))).toBe(false);
});

describeOn(WHOLE_SECONDS, `on a file system with ${WHOLE_SECONDS}`, () => {
  it.each(['committed', 'untracked'])('G8: an edit of the same size in the same second is seen, of a file that is %s', async (kind) => {
    const [root, home] = [join(mounted(WHOLE_SECONDS), 'repository'), directory()];
    mkdirSync(root);
    const user = new Scratch(home, root);
    user.git('init', '--quiet', '--initial-branch=main');
    user.write('README.md', 'read me\n');
    user.commit('first');
    expect(statSync(user.path('README.md'), { bigint: true }).ctimeNs % 1_000_000_000n).toBe(0n);
    const worktree = await user.worktree();
    for (let round = 0; round < ROUNDS; round++) {
      const name = `${round}.txt`;
      user.write(name, 'before\n');
      if (kind === 'committed') user.commit(name);
      await take(worktree, STOP);
      user.write(name, 'after!\n');
      const taken = await take(worktree, STOP);
      expect([round, taken]).toMatchObject([round, { result: 'made' }]);
      if (taken.result === 'made') expect(user.git('show', `${taken.checkpoint.ref}:${name}`)).toBe('after!');
    }
  });
});
