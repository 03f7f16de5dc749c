import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from '@piton/testing';
import { expect, it, onTestFinished } from 'vitest';
import { take } from '../src/snapshot/take.ts';
import { isAsSeen } from '../src/snapshot/working-file.ts';
import { directory, Scratch } from './scratch.ts';

const STOP = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;
const ROUNDS = 12;

/** A file system whose inodes have no room for fractions of a second. */
function mountedInSeconds(): string {
  const place = directory();
  const [image, mount] = [join(place, 'image'), join(place, 'mounted')];
  mkdirSync(mount);
  const line = 'truncate --size=24M "$1" && mke2fs -q -F -t ext2 -I 128 "$1" && mount -o loop "$1" "$2"';
  execFileSync('sh', ['-c', line, 'sh', image, mount], { stdio: 'ignore' });
  onTestFinished(() => void spawnSync('sh', ['-c', 'umount "$1"', 'sh', mount]));
  return mount;
}

/** Null where such a file system can be mounted. */
function obstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux, to mount a file system with whole seconds';
  const tried = spawnSync('sh', [
    '-c',
    'place=$(mktemp -d) && cd "$place" && mkdir m && truncate --size=1M i && mke2fs -q -F -t ext2 -I 128 i && mount -o loop i m && umount m; code=$?; rm -rf "$place"; exit $code',
  ]);
  return tried.status === 0 ? null : 'mounts are not permitted here';
}

it('reads a file again that changed just before it was last seen: time stamps have a grain', () => {
  const seen = (ms: number, nanoseconds = 1n) => ['4', '1', `${1_000_000n * 1000n + nanoseconds}`, '7', ms] as const;
  expect(isAsSeen(seen(9000), seen(1050))).toBe(false);
  expect(isAsSeen(seen(9000), seen(1200))).toBe(true);
  // G8: a file system that counts whole seconds, and one that counts every other.
  for (const ms of [1200, 1999, 2050, 2999]) expect(isAsSeen(seen(9000, 0n), seen(ms, 0n))).toBe(false);
  expect(isAsSeen(seen(9000, 0n), seen(3200, 0n))).toBe(true);
  expect(isAsSeen(['5', '1', '1', '7', 9000], seen(1200))).toBe(false);
});

describeWhere(obstacle(), 'on a file system with whole seconds (ext2, inodes of 128 bytes)', () => {
  it.each(['committed', 'untracked'])('G8: an edit of the same size in the same second is seen, of a file that is %s', async (kind) => {
    const [root, home] = [join(mountedInSeconds(), 'repository'), directory()];
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
