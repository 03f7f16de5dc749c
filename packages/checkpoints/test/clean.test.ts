import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import type { Checkpoint } from '../src/checkpoint.ts';
import { expiredCheckpoints } from '../src/clean/expired.ts';
import { deleteExpired } from '../src/clean/reclaim.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { logCall, readCalls } from '../src/images/call-log.ts';
import { readHeld, saveHeld } from '../src/images/held-image.ts';
import { linkCommit } from '../src/links/link.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { type Scratch, scratch } from './scratch.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
/** What the disk says, not what we say. */
const bytesOf = (user: Scratch): number => Number(execFileSync('du', ['-sb', user.path('.git')], { encoding: 'utf8' }).split('\t')[0]);
const noise = (): Buffer => randomBytes(300_000);

/** A place whose clock says how many days ago it is. */
const daysAgo = (user: Scratch, days: number): Promise<Worktree> => user.worktree({ now: () => NOW - days * DAY });

async function checkpoint(user: Scratch, days: number, session: string, by: 'agent' | 'human' = 'agent'): Promise<Checkpoint> {
  const worktree = await daysAgo(user, days);
  const taken = await take(worktree, { kind: 'stop', name: `of ${session}`, by, session, agent: 'claude', turn: null });
  if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
  return taken.checkpoint;
}

async function clean(user: Scratch, days = 30): Promise<{ gone: string[]; left: string[] }> {
  const worktree = await daysAgo(user, 0);
  const expired = await expiredCheckpoints(worktree, new Date(NOW - days * DAY));
  const { checkpoints } = expired;
  expect(await deleteExpired(worktree, expired)).toMatchObject({ result: 'reclaimed', checkpoints: checkpoints.length });
  expect(user.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  return {
    gone: checkpoints.map(({ name }) => name),
    left: (await listCheckpoints(worktree.git, worktree.repository)).map(({ name }) => name),
  };
}

it('old work that came to nothing goes, and its space with it; the young stays', async () => {
  const user = scratch();
  user.write('idea.bin', noise());
  const old = await checkpoint(user, 90, 'dropped');
  user.write('idea.bin', noise());
  const older = await checkpoint(user, 80, 'dropped');
  user.remove('idea.bin');
  await checkpoint(user, 5, 'young', 'human');
  user.write('new.txt', 'new\n');
  const young = await checkpoint(user, 4, 'young');
  const before = bytesOf(user);
  const blob = user.git('rev-parse', `${old.ref}:idea.bin`);
  const { gone, left } = await clean(user);
  expect(gone).toEqual(['of dropped']);
  expect(left).toContain('of young');
  // The one before a young one is what that is compared with.
  expect(left).toEqual(['of dropped', 'of young', 'of young']);
  expect(user.git('show', `${young.ref}:new.txt`)).toBe('new');
  expect(user.git('cat-file', '-t', older.commit)).toBe('commit');
  expect(() => user.git('cat-file', '-e', blob)).toThrow();
  expect(before - bytesOf(user)).toBeGreaterThan(250_000);
});

/** A call that overwrites a file, as it was saved before: what a rewind would give back. */
async function overwritten(user: Scratch, days: number, turn: string): Promise<string> {
  const worktree = await daysAgo(user, days);
  const held = await readHeld(worktree, user.path('draft.bin'));
  if (held === null) throw new Error('outside the repository');
  const { wayBack, after } = await saveHeld(worktree, turn, new Map([held]));
  const call = { session: turn, agent: 'claude', turn, tool: 'Write', what: 'draft.bin', atMs: worktree.now(), after, wayBack };
  logCall(worktree, { ...call, id: `call-${turn}` });
  user.write('draft.bin', noise());
  return wayBack.files[0]?.entry?.oid ?? '';
}

it('what was saved before calls goes with its age; what a young call goes back to stays', async () => {
  const user = scratch();
  user.write('draft.bin', noise());
  const old = await overwritten(user, 90, 'first');
  await checkpoint(user, 40, 'second', 'human');
  user.write('draft.bin', noise());
  const young = await overwritten(user, 5, 'third');
  const before = bytesOf(user);
  await clean(user);
  expect(() => user.git('cat-file', '-e', old)).toThrow();
  expect(user.git('cat-file', '-t', young)).toBe('blob');
  expect(before - bytesOf(user)).toBeGreaterThan(250_000);
  expect(readCalls(await daysAgo(user, 0)).map(({ turn }) => turn)).toEqual(['third']);
  // And another image finds its place beside the one that stayed.
  const next = await overwritten(user, 0, 'fourth');
  user.git('reflog', 'expire', '--expire=now', '--all');
  user.git('gc', '--quiet', '--prune=now');
  expect([young, next].map((oid) => user.git('cat-file', '-t', oid))).toEqual(['blob', 'blob']);
});

/** A turn from its prompt to a commit that is linked to it. */
async function committed(user: Scratch, session: string, day = 90): Promise<Checkpoint> {
  user.write('start.ts', `start of ${session}\n`);
  await checkpoint(user, day + 2, `${session}-before`, 'human');
  user.write(`${session}.ts`, 'by the agent, long and telling\nand more\n');
  await checkpoint(user, day + 1, session);
  user.commit('with it');
  const linked = await linkCommit(await daysAgo(user, day), () => 'claude');
  expect(linked?.made).toHaveLength(1);
  return linked?.made[0] as Checkpoint;
}

it('work that is in a commit stays, though the commit was amended and squashed without a word', async () => {
  const user = scratch();
  const linked = await committed(user, 'kept');
  user.git('commit', '--quiet', '--amend', '-m', 'said otherwise');
  user.write('other.ts', 'x\n');
  user.commit('something else');
  user.git('reset', '--quiet', '--soft', 'HEAD~2');
  user.git('commit', '--quiet', '-m', 'all in one');
  user.git('reflog', 'expire', '--expire=now', '--all');
  user.write('end.ts', 'end\n');
  await checkpoint(user, 3, 'now', 'human');
  const worktree = await daysAgo(user, 0);
  const before = await attributeCommit(worktree, 'HEAD');
  expect(before).toMatchObject({ agent: 2 });
  const { gone } = await clean(user);
  expect(gone).toEqual([]);
  expect(user.git('rev-parse', linked.ref)).toBe(linked.commit);
  expect(await attributeCommit(worktree, 'HEAD')).toEqual(before);
});

it('what lies between two pieces of work that are in commits goes, and both are still told apart', async () => {
  const user = scratch();
  await committed(user, 'first');
  for (const at of [1, 2, 3]) {
    user.write('idea.ts', `an idea ${at}, never committed\n`);
    await checkpoint(user, 80 - at, 'dropped');
  }
  user.remove('idea.ts');
  await checkpoint(user, 75, 'between', 'human');
  await committed(user, 'second', 60);
  const worktree = await daysAgo(user, 0);
  const source = async () => [await attributeCommit(worktree, 'HEAD~1'), await attributeCommit(worktree, 'HEAD')];
  const before = await source();
  const { gone } = await clean(user);
  expect(gone).toEqual(['of dropped', 'of dropped', 'of dropped', 'of between']);
  expect(await source()).toEqual(before);
});

it('work whose commit is nowhere any more goes', async () => {
  const user = scratch();
  await committed(user, 'lost');
  user.git('reset', '--quiet', '--hard', 'HEAD~1');
  user.git('reflog', 'expire', '--expire=now', '--all');
  user.write('now.ts', 'now\n');
  await checkpoint(user, 3, 'now', 'human');
  const { gone, left } = await clean(user);
  expect(gone).toEqual(['of lost-before', 'of lost']);
  expect(left).toEqual(['with it', 'of now']);
});

it('work that waits for a commit stays, however old it is', async () => {
  const user = scratch();
  user.write('waiting.ts', 'by the agent\n');
  await checkpoint(user, 200, 'waiting');
  user.write('more.ts', 'by the agent\n');
  await checkpoint(user, 190, 'waiting');
  user.write('last.ts', 'mine\n');
  await checkpoint(user, 180, 'later', 'human');
  expect((await clean(user)).gone).toEqual([]);
});

it('work that waits for a commit in another working tree stays, and what a rewind there is taken back with', async () => {
  const user = scratch();
  user.git('worktree', 'add', '--quiet', '-b', 'side', '../side');
  const side = Object.assign(Object.create(Object.getPrototypeOf(user)), user, { root: join(user.home, 'side') }) as Scratch;
  await checkpoint(side, 210, 'before', 'human');
  side.write('waiting.ts', 'by the agent\n');
  await checkpoint(side, 200, 'waiting');
  side.write('more.ts', 'mine\n');
  const mine = await checkpoint(side, 190, 'mine', 'human');
  side.write('more.ts', 'mine, and changed\n');
  await rewind(await daysAgo(side, 185), mine.id, { everything: true });
  for (const days of [180, 170]) {
    side.write('last.ts', `${days}\n`);
    await checkpoint(side, days, `later-${days}`, 'human');
  }
  const { left } = await clean(user);
  expect(left).toContain('of waiting');
  expect((await undoRewind(await daysAgo(side, 0))).result).toBe('rewound');
});

it('nothing of the user’s goes with it: what is added, stashed, dropped or lies about in our packs alone', async () => {
  const user = scratch();
  const kept = new Map<string, string>();
  for (const name of ['added', 'stashed', 'dropped', 'tree']) {
    const content = `${name} ${randomBytes(2000).toString('hex')}`;
    user.write(`${name}.txt`, content);
    await checkpoint(user, 90, `session-${name}`);
    kept.set(user.git('hash-object', `${name}.txt`), content);
  }
  user.git('add', 'dropped.txt');
  const dangling = user.git('commit-tree', user.git('write-tree'), '-m', 'lies about');
  user.git('rm', '--quiet', '--cached', 'dropped.txt');
  user.git('add', 'stashed.txt');
  user.git('stash', 'push', '--quiet', '--', 'stashed.txt');
  user.git('add', 'added.txt');
  for (const name of ['added', 'dropped', 'tree']) user.remove(`${name}.txt`);
  const has = (oid: string): boolean => {
    try {
      user.git('cat-file', '-e', oid);
      return true;
    } catch {
      return false;
    }
  };
  // Twice: the one before a young one stays, and would hold everything.
  user.write('end.txt', 'end\n');
  await checkpoint(user, 50, 'emptied', 'human');
  user.write('end.txt', 'the end\n');
  await checkpoint(user, 2, 'now', 'human');
  const { gone } = await clean(user);
  expect(gone).toContain('of session-tree');
  expect(has([...kept.keys()].at(-1) as string)).toBe(false);
  const [added, stashed, dropped] = [...kept.keys()];
  expect([added, stashed, dropped, dangling].map((oid) => has(oid as string))).toEqual([true, true, true, true]);
  user.git('commit', '--quiet', '-m', 'the added one');
  user.git('stash', 'pop', '--quiet');
  expect(user.read('stashed.txt')).toBe(kept.get(stashed as string));
  expect(user.git('fsck', '--full', '--no-dangling')).toBe('');
});

it('a pack that git touches meanwhile is left alone, and that is said', async () => {
  const user = scratch();
  user.write('idea.bin', noise());
  await checkpoint(user, 90, 'dropped');
  user.remove('idea.bin');
  await checkpoint(user, 85, 'dropped', 'human');
  user.write('x', 'x\n');
  await checkpoint(user, 1, 'now', 'human');
  const worktree = await daysAgo(user, 0);
  const expired = await expiredCheckpoints(worktree, new Date(NOW - 30 * DAY));
  const meddling: Worktree = {
    ...worktree,
    git: async (args, options) => {
      const result = await worktree.git(args, options);
      if (args[0] === 'pack-objects' || args[0] === 'fsck') user.shell('touch .git/objects/pack/*.pack');
      return result;
    },
  };
  expect(await deleteExpired(meddling, expired)).toMatchObject({ result: 'kept-space' });
  expect(user.git('fsck', '--full', '--no-dangling')).toBe('');
});

it('a commit that was lost, and on which only a checkpoint that goes was built, stays whole', async () => {
  const user = scratch();
  await checkpoint(user, 100, 'before', 'human');
  user.write('lost.ts', 'in our pack alone\n');
  await checkpoint(user, 95, 'one');
  user.commit('lost later');
  const lost = user.git('rev-parse', 'HEAD');
  user.write('top.ts', 'on top\n');
  await checkpoint(user, 90, 'two');
  user.git('reset', '--quiet', '--hard', 'HEAD~1');
  user.remove('top.ts');
  user.git('reflog', 'expire', '--expire=now', '--all');
  for (const days of [80, 70]) {
    user.write('mine.ts', `${days}\n`);
    await checkpoint(user, days, `later-${days}`, 'human');
  }
  expect((await clean(user)).gone).toContain('of two');
  expect(user.git('show', `${lost}:lost.ts`)).toBe('in our pack alone');
});
