import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { agentTurn } from './agent-turn.ts';
import { describeOn, mounted } from './mounted.ts';
import { directory, Scratch, scratch } from './scratch.ts';

const SMALL_DISK = 'room for 4 MB';
const WHOLE_SECONDS = 'whole seconds (ext2, inodes of 128 bytes)';

const drafts = (root: string): string[] =>
  (readdirSync(root, { recursive: true }) as string[]).filter((name) => /\.piton-.*\.draft$/.test(name));

/** Fills a disk but for so many bytes. */
function fill(disk: string, left: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

/** Also what a file system keeps for root, which tests may be. Gives back the file that fills it. */
function fillWhole(disk: string): string {
  const file = join(disk, 'ballast');
  writeFileSync(file, '');
  for (let size = 1024 * 1024; size >= 1024; ) {
    const before = statSync(file).size;
    try {
      appendFileSync(file, Buffer.alloc(size), { flush: true });
    } catch {
      truncateSync(file, before);
      size /= 2;
    }
  }
  return file;
}

describeOn(SMALL_DISK, `a rewind on a disk with ${SMALL_DISK}`, () => {
  it('that does not take all of it changes nothing, and names the files that it has no room for', async () => {
    const disk = mounted(SMALL_DISK);
    const home = directory();
    const user = new Scratch(home, join(disk, 'repository'));
    mkdirSync(user.root);
    // Its objects lie where there is room.
    user.git('init', '--quiet', '--initial-branch=main', `--separate-git-dir=${join(home, 'git')}`);
    const big = randomBytes(1024 * 1024);
    user.write('a.txt', 'before\n');
    user.write('big.bin', big);
    user.write('z/last.txt', 'before\n');
    user.commit('Base');
    const worktree = await user.worktree();
    const id = await agentTurn(worktree, () => {
      user.write('a.txt', 'after\n');
      user.write('big.bin', 'small\n');
      user.write('z/last.txt', 'after\n');
      user.write('new.txt', 'new\n');
    });
    fill(disk, 300 * 1024);
    const before = user.everything();
    expect(await rewind(worktree, id)).toMatchObject({
      result: 'refused',
      reason: 'cannot-write',
      failed: [{ path: 'big.bin', error: expect.stringContaining('ENOSPC') }],
    });
    expect(user.everything()).toEqual(before);
    rmSync(join(disk, 'ballast'));
    expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', failed: [] });
    expect([user.read('a.txt'), user.read('z/last.txt'), existsSync(user.path('new.txt'))]).toEqual(['before\n', 'before\n', false]);
    expect(Buffer.compare(Buffer.from(user.everything().get('big.bin')?.slice(2) ?? '', 'latin1'), big)).toBe(0);
    expect(drafts(user.root)).toEqual([]);
  });

  // Git does not see folders without a file, at any depth.
  it.each(['plain.txt', 'plain.txt/deep', 'plain.txt/deep/er', 'plain.txt/.hidden/er'])(
    'knows that an empty folder %s is nothing',
    async (empty) => {
      const user = scratch();
      user.write('plain.txt', 'plain\n');
      user.commit('Base');
      const worktree = await user.worktree();
      const id = await agentTurn(worktree, () => user.remove('plain.txt'));
      mkdirSync(`${user.root}/${empty}`, { recursive: true });
      expect(await planRewind(worktree, id)).toMatchObject({ result: 'plan', kept: [] });
      expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', written: ['plain.txt'], failed: [], kept: [] });
      expect(user.read('plain.txt')).toBe('plain\n');
      expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
    },
  );
});

describeOn(WHOLE_SECONDS, 'a rewind on a disk on which folders take room', () => {
  it('has the room for those that it makes before it changes anything, or changes nothing', async () => {
    const disk = mounted(WHOLE_SECONDS);
    const home = directory();
    const user = new Scratch(home, join(disk, 'repository'));
    mkdirSync(user.root);
    user.git('init', '--quiet', '--initial-branch=main', `--separate-git-dir=${join(home, 'git')}`);
    user.write('src/deep/er/file.txt', 'before\n');
    user.write('docs/one.txt', 'before\n');
    user.commit('Base');
    const worktree = await user.worktree();
    const id = await agentTurn(worktree, () => {
      user.shell('rm -r src docs');
      user.write('new.txt', 'new\n');
    });
    const before = user.everything();
    const ballast = fillWhole(disk);
    for (let blocks = 0; ; blocks++) {
      const result = await rewind(worktree, id);
      if (result.result === 'rewound') {
        expect(result).toMatchObject({ failed: [], kept: [] });
        break;
      }
      expect(blocks).toBeLessThan(20);
      expect(result).toMatchObject({ result: 'refused', reason: 'cannot-write' });
      expect(user.everything()).toEqual(before);
      expect(drafts(user.root)).toEqual([]);
      // There is room for one block more.
      truncateSync(ballast, statSync(ballast).size - 1024);
    }
    expect([user.read('src/deep/er/file.txt'), user.read('docs/one.txt'), existsSync(user.path('new.txt'))]).toEqual([
      'before\n',
      'before\n',
      false,
    ]);
    expect(drafts(user.root)).toEqual([]);
  });
});

describeOn(SMALL_DISK, `where Piton keeps what it knows, with ${SMALL_DISK}`, () => {
  it('a rewind that finds no room there changes nothing, leaves nothing, and the one before can still be taken back', async () => {
    const disk = mounted(SMALL_DISK);
    const user = new Scratch(disk, join(directory(), 'repository'));
    mkdirSync(user.root);
    user.git('init', '--quiet', '--initial-branch=main');
    user.write('a.txt', 'before\n');
    user.write('b.txt', 'before\n');
    user.commit('Base');
    const worktree = await user.worktree();
    const first = await agentTurn(worktree, () => user.write('a.txt', 'after\n'));
    const second = await agentTurn(worktree, () => user.write('b.txt', 'after\n'));
    expect(await rewind(worktree, second)).toMatchObject({ result: 'rewound', written: ['b.txt'] });
    fill(disk, 0);
    const before = user.everything();
    expect(await rewind(worktree, first)).toEqual({ result: 'failed', error: 'the disk is full' });
    expect(user.everything()).toEqual(before);
    expect((readdirSync(disk, { recursive: true }) as string[]).filter((name) => name.endsWith('.new'))).toEqual([]);
    rmSync(join(disk, 'ballast'));
    expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', written: ['b.txt'] });
    expect([user.read('a.txt'), user.read('b.txt')]).toEqual(['after\n', 'after\n']);
  });
});

it('a rewind that was refused leaves the one before to be taken back', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const first = await agentTurn(worktree, () => user.write('README.md', 'after\n'));
  const second = await agentTurn(worktree, () => user.write('src/main.ts', 'after\n'));
  expect(await rewind(worktree, second)).toMatchObject({ result: 'rewound', written: ['src/main.ts'] });
  // No draft can have a name.
  const taken = { ...worktree, random: () => new Uint8Array(8) };
  user.write('.git/info/exclude', '*.draft\n');
  user.write(`.piton-${'0'.repeat(16)}.draft`, '');
  expect(await rewind(taken, first)).toMatchObject({ result: 'refused', reason: 'cannot-write' });
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', written: ['src/main.ts'] });
  expect(user.read('src/main.ts')).toBe('after\n');
});

it('the rewind before is the last one where a process was killed that had begun another, and nothing more', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const id = await agentTurn(worktree, () => user.write('README.md', 'after\n'));
  expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', written: ['README.md'] });
  renameSync(join(worktree.state, 'undo.json'), join(worktree.state, 'undo.before.json'));
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', written: ['README.md'] });
  expect(existsSync(join(worktree.state, 'undo.before.json'))).toBe(false);
});

describe('before it changes anything, a rewind', () => {
  it('names what is in the way: a folder with something of yours, or a file of yours where a folder was', async () => {
    const user = scratch();
    user.write('folder/inner.txt', 'inner\n');
    user.write('plain.txt', 'plain\n');
    user.commit('Base');
    const worktree = await user.worktree();
    const id = await agentTurn(worktree, () => {
      user.remove('folder');
      user.remove('plain.txt');
    });
    user.write('folder', 'a file of mine\n');
    user.write('plain.txt/ignored.log', 'mine, and ignored\n');
    const plan = await planRewind(worktree, id);
    expect(plan).toMatchObject({ result: 'plan', steps: [] });
    expect('kept' in plan && [...plan.kept].sort((a, b) => a.path.localeCompare(b.path))).toMatchObject([
      { path: 'folder', reason: 'changed-by-you' },
      { path: 'folder/inner.txt', reason: 'in-the-way' },
      { path: 'plain.txt', reason: 'in-the-way' },
    ]);
  });

  it('knows that what it deletes itself is not in the way', async () => {
    const user = scratch();
    user.write('folder/inner.txt', 'inner\n');
    user.write('plain.txt', 'plain\n');
    user.commit('Base');
    const worktree = await user.worktree();
    const id = await agentTurn(worktree, () => {
      user.remove('folder');
      user.remove('plain.txt');
      user.write('folder', 'now a file\n');
      user.write('plain.txt/deep/a.txt', 'now a folder\n');
    });
    expect(await planRewind(worktree, id)).toMatchObject({ result: 'plan', kept: [] });
    expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', failed: [], kept: [] });
    expect([user.read('folder/inner.txt'), user.read('plain.txt')]).toEqual(['inner\n', 'plain\n']);
    expect(drafts(user.root)).toEqual([]);
  });
});
