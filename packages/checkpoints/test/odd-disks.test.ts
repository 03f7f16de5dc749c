import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepCall } from '../src/kept/keep-call.ts';
import { addRepository } from '../src/repositories/watched.ts';
import { describeOn, type FileSystem, mounted } from './mounted.ts';
import { seededRandom } from './random.ts';
import { directory, Scratch, scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';
import { BytesDay } from './torture/bytes-day.ts';
import { Tally } from './torture/tally.ts';

const WHOLE_SECONDS = 'whole seconds (ext2, inodes of 128 bytes)';
const CLONING = ['copies that share their blocks (btrfs)', 'copies that share their blocks (xfs)'] as const;
const STEPS = 30;

function repositoryOn(place: string, home = directory()): Scratch {
  const user = new Scratch(home, join(place, 'repository'));
  mkdirSync(user.root);
  user.git('init', '--quiet', '--initial-branch=main');
  user.write('README.md', 'read me\n');
  user.commit('first');
  return user;
}

for (const kind of [WHOLE_SECONDS, ...CLONING] satisfies FileSystem[])
  describeOn(kind, `on a file system with ${kind}`, () => {
    it('every byte of a day comes back', { timeout: 600_000 }, async () => {
      const day = new BytesDay(repositoryOn(mounted(kind)), seededRandom(1), new Tally());
      try {
        for (let step = 0; step < STEPS; step++) await day.step();
        await day.rewinds();
      } catch (error) {
        throw new Error([...day.done, String(error)].join('\n'), { cause: error });
      }
      expect(day.done.length).toBeGreaterThan(STEPS);
    });
  });

for (const kind of CLONING)
  describeOn(kind, `on a file system with ${kind}`, () => {
    it('what a stand-in keeps of a large file takes no room of its own', () => {
      const place = mounted(kind);
      const home = join(place, 'home');
      mkdirSync(home);
      const user = repositoryOn(place, home);
      addRepository(home, user.root);
      const bytes = 24 * 1024 * 1024;
      writeFileSync(user.path('large.bin'), randomBytes(bytes), { flush: true });
      const room = (): number => {
        user.shell('sync');
        const { bavail, bsize } = statfsSync(place);
        return bavail * bsize;
      };
      const before = room();
      const tool = { name: 'Write', nativeName: 'Write', kind: 'edit', input: {}, files: [user.path('large.bin')] } as const;
      const event = { event: 'pre_tool_use', names: ['pre_tool_use'], agent: 'someone', nativeEvent: 'x', sessionId: 's1' } as const;
      const kept = keepCall({ home, stamp: 'a', event: { ...event, cwd: user.root, portable: {}, raw: {}, tool }, atMs: Date.now() });
      expect(kept).toMatchObject({ isNews: true });
      expect(kept).not.toHaveProperty('noWayBack');
      expect(before - room()).toBeLessThan(bytes / 2);
    });
  });

it('beside 100,000 untracked files the rest has its way back, and their folder is named', { timeout: 600_000 }, async () => {
  const user = scratch();
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(user.path(`cache/${folder}`), { recursive: true });
    writeFileSync(user.path(`cache/${folder}/0`), '');
    // A second name costs a third of a second file, and is a file to whoever lists the folder.
    for (let at = 1; at < 1000; at++) linkSync(user.path(`cache/${folder}/0`), user.path(`cache/${folder}/${at}`));
  }
  user.write('mine.txt', 'in no commit\n');
  const tree = new SharedTree(user, user.root, { toolPatienceMs: 300_000 });
  await tree.prompt('s1');
  const call = await tree.begins('s1', 'shell', { command: 'make clean' });
  user.remove('mine.txt');
  user.write('src/main.ts', 'over\n');
  await tree.ends('s1', call);
  expect(tree.problems).toEqual([]);
  const checkpoints = await tree.checkpoints();
  expect(await checkpoints.planRewind(call.stamp)).toMatchObject({ leftOut: [{ path: 'cache', reason: 'too-many', files: 100_000 }] });
  expect(await checkpoints.rewind(call.stamp)).toMatchObject({ result: 'rewound', failed: [] });
  expect([user.read('mine.txt'), user.read('src/main.ts'), user.read('cache/99/999')]).toEqual(['in no commit\n', 'one\ntwo\nthree\n', '']);
});
