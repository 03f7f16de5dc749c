import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere } from '@piton/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind, type RewindPlan } from '../src/rewind/rewind-plan.ts';
import { planUndo, undoRewind } from '../src/rewind/undo.ts';
import type { Worktree } from '../src/worktree.ts';
import { agentTurn } from './agent-turn.ts';
import { describeOn, mounted } from './mounted.ts';
import { isRoot, LARGE, OBSTACLES, type Obstacle, run } from './obstacles.ts';
import { directory, Scratch } from './scratch.ts';
import { SmallDisk } from './torture/small-disk.ts';

const SMALL_DISK = 'room for 4 MB';
const NEARLY_FULL = 192 * 1024;

/** Also of what nobody but root can read. */
function bytesOf(file: string, mode: number): string {
  if ((mode & 0o400) === 0 && !isRoot) chmodSync(file, mode | 0o400);
  const bytes = readFileSync(file, 'latin1');
  if ((mode & 0o400) === 0 && !isRoot) chmodSync(file, mode);
  return bytes;
}

/** All that lies there, also what a checkpoint does not know: kind, rights, owner, and what it holds. Empty folders are nothing to git. */
function allOf(user: Scratch, folder = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(user.root, folder))) {
    const path = join(folder, name);
    if (path === '.git') continue;
    const stat = lstatSync(user.path(path));
    const { mode, uid, gid, rdev } = stat;
    const holds = stat.isSymbolicLink() ? readlinkSync(user.path(path)) : stat.isFile() ? bytesOf(user.path(path), mode) : rdev;
    if (stat.isDirectory()) for (const [inside, shown] of allOf(user, path)) found.set(inside, shown);
    else found.set(path, `${mode.toString(8)} ${uid}:${gid} ${holds}`);
  }
  return found;
}

const namesIn = ({ kept, leftOut, unavailable }: RewindPlan): string[] => [...kept, ...leftOut, ...unavailable].map(({ path }) => path);

interface Day {
  readonly user: Scratch;
  readonly isElsewhere: boolean;
  /** Makes it nearly full, or empty. */
  readonly fills?: (disk: 'full' | 'free') => void;
}

/** Planned and done. Where the disk is full it may be refused, if nothing has changed: then there is room again. */
async function succeeds({ user, fills }: Day, plans: () => ReturnType<typeof planRewind>, acts: () => ReturnType<typeof rewind>) {
  const before = allOf(user);
  const plan = await plans();
  expect(allOf(user), 'a plan changes nothing').toEqual(before);
  let done = await acts();
  if (fills && done.result !== 'rewound') {
    expect(allOf(user), `refused, and something has changed: ${JSON.stringify(done)}`).toEqual(before);
    fills('free');
    done = await acts();
  } else if (plan.result === 'plan' && done.result === 'rewound') expect(namesIn(done.plan), 'all is said before').toEqual(namesIn(plan));
  if (done.result !== 'rewound') throw new Error(`refused: ${JSON.stringify(done)}`);
  expect(done.failed, 'all that can fail is known before').toEqual([]);
  expect(done.kept, 'all that stays is known before').toEqual(done.plan.kept);
  return done;
}

/** There and back, and where there is room there and back again. */
async function goesThereAndBack(day: Day, { puts, told, isTracked = false, name = 'thing' }: Obstacle): Promise<void> {
  const { user, isElsewhere, fills } = day;
  user.git('init', '--quiet', '--initial-branch=main');
  for (const file of ['other.txt', 'src/main.ts', ...(isTracked ? [name] : [])]) user.write(file, `${file} was this\n`);
  user.write('.gitignore', '*.log\n');
  user.write('large.log', LARGE);
  user.commit('first');
  if (!isTracked) user.write(name, 'in no commit\n');
  const opened = await user.worktree();
  const worktree: Worktree = { ...opened, limits: { ...opened.limits, fileBytes: 1000 } };
  const before = allOf(user);
  const id = await agentTurn(worktree, () => {
    user.remove(name);
    puts(user, name);
    user.write('other.txt', 'agent\n');
  });
  const after = allOf(user);
  const isTold = told === 'always' || (told === 'on another disk' && isElsewhere);
  const there = new Map([...(isTold ? after : before)].filter(([path]) => path === name || path.startsWith(`${name}/`)));
  for (const [path, shown] of before) if (path !== name) there.set(path, shown);
  for (let round = 0; round < (fills ? 1 : 2); round++) {
    fills?.('full');
    const done = await succeeds(
      day,
      () => planRewind(worktree, id, { everything: true }),
      () => rewind(worktree, id, { everything: true }),
    );
    expect(namesIn(done.plan).includes(name), `named: ${namesIn(done.plan)}`).toBe(isTold);
    const now = allOf(user);
    // Who may do what with a file is not git's to say: the rights are those of what was in its way.
    for (const files of [there, now]) if (!isTold) files.set(name, (files.get(name) ?? '').replace(/^10\S+ \S+/, ''));
    expect(now).toEqual(there);
    fills?.('full');
    const back = await succeeds(
      day,
      () => planUndo(worktree),
      () => undoRewind(worktree),
    );
    expect(namesIn(back.plan)).toEqual([]);
    expect(allOf(user)).toEqual(after);
  }
}

const played = Object.entries(OBSTACLES).filter(([name, { needsRoot }]) => {
  if (needsRoot && !isRoot) console.warn(`NOT PLAYED ${name} in the way of a rewind: needs root`);
  return !needsRoot || isRoot;
});

function userAt(home: string, place: string): Scratch {
  const user = new Scratch(home, join(place, 'repository'));
  for (const folder of [home, user.root]) mkdirSync(folder, { recursive: true });
  return user;
}

describe('in the way of a rewind, Piton’s home on the same disk', () => {
  it.each(played)('%s', async (_, obstacle) => {
    const place = directory();
    await goesThereAndBack({ user: userAt(join(place, 'home'), place), isElsewhere: false }, obstacle);
  });
});

/** Most machines have two that anybody may write to. */
const elsewhere = ['/dev/shm', '/tmp', '/var/tmp'].find((place) => {
  const found = statSync(place, { throwIfNoEntry: false });
  return found && (found.mode & 0o002) !== 0 && found.dev !== statSync(tmpdir()).dev;
});

describeWhere(elsewhere ? null : 'one file system is all there is', 'in the way of a rewind, on two disks', () => {
  const other = (): string => {
    const made = mkdtempSync(join(elsewhere as string, 'piton-elsewhere-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };
  it.each(played)('Piton’s home on the other: %s', { timeout: 60_000 }, async (_, obstacle) => {
    await goesThereAndBack({ user: userAt(join(other(), 'home'), directory()), isElsewhere: true }, obstacle);
  });

  it.each(played)('the work tree on the other: %s', { timeout: 60_000 }, async (_, obstacle) => {
    await goesThereAndBack({ user: userAt(directory(), other()), isElsewhere: true }, obstacle);
  });
});

for (const [where, inHome, inRepository] of [
  ['Piton’s home', true, false],
  ['the work tree', false, true],
  ['all of it', true, true],
] as const)
  describeOn(SMALL_DISK, `in the way of a rewind, ${where} on a disk that is full`, () => {
    it.each(played)('%s', { timeout: 60_000 }, async (_, obstacle) => {
      const disk = new SmallDisk(mounted(SMALL_DISK));
      const [home, place] = [inHome ? join(disk.place, 'home') : directory(), inRepository ? disk.place : directory()];
      const fills = (how: 'full' | 'free'): void => (how === 'full' ? disk.fill(NEARLY_FULL) : disk.free());
      await goesThereAndBack({ user: userAt(home, place), isElsewhere: inHome !== inRepository, fills }, obstacle);
    });
  });

describeOn(SMALL_DISK, 'a rewind is taken back, Piton’s home on another disk', () => {
  it('and a link goes that it made, and that is ignored and in no checkpoint', async () => {
    const user = userAt(join(mounted(SMALL_DISK), 'home'), directory());
    user.git('init', '--quiet', '--initial-branch=main');
    user.write('.gitignore', '*.log\n');
    symlinkSync('nowhere', user.path('linked.log'));
    user.git('add', '--force', 'linked.log');
    user.commit('first');
    const worktree = await user.worktree();
    const id = await agentTurn(worktree, () => {
      user.git('rm', '--quiet', 'linked.log');
      user.commit('without it');
    });
    const after = allOf(user);
    expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', written: ['linked.log'], failed: [] });
    expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', deleted: ['linked.log'], failed: [] });
    expect(allOf(user)).toEqual(after);
    expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', written: ['linked.log'], failed: [] });
    expect(readlinkSync(user.path('linked.log'))).toBe('nowhere');
  });

  it('and a pipe stays away where the home was moved to that disk meanwhile, which the plan says', async () => {
    const place = directory();
    const user = userAt(join(place, 'home'), place);
    user.git('init', '--quiet', '--initial-branch=main');
    for (const name of ['thing', 'other.txt']) user.write(name, `${name} was this\n`);
    user.commit('first');
    const id = await agentTurn(await user.worktree(), () => {
      user.remove('thing');
      run(user, 'mkfifo', 'thing');
      user.write('other.txt', 'agent\n');
    });
    expect(await rewind(await user.worktree(), id)).toMatchObject({ result: 'rewound', failed: [] });
    const moved = userAt(join(mounted(SMALL_DISK), 'home'), place);
    run(user, 'cp', '-a', `${user.home}/.`, moved.home);
    const plan = await planUndo(await moved.worktree());
    expect(plan).toMatchObject({ unavailable: [{ path: 'thing', why: 'it cannot be copied, and was saved on another disk' }] });
    expect(await undoRewind(await moved.worktree())).toMatchObject({ result: 'rewound', written: ['other.txt'], failed: [] });
    expect([moved.read('thing'), moved.read('other.txt')]).toEqual(['thing was this\n', 'agent\n']);
  });
});
