import { existsSync, writeFileSync } from 'node:fs';
import { ulid } from '@piton/contracts';
import { expect, it } from 'vitest';
import type { Checkpoint } from '../src/checkpoint.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { logCall, readCalls } from '../src/images/call-log.ts';
import { linkCommit } from '../src/links/link.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import { takeAtBoundary } from '../src/turns/boundary-checkpoint.ts';
import { beforeLatestTurn } from '../src/turns/latest-turn.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn, openTurns } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { scratch } from './scratch.ts';

const about = (turn: string) => ({ name: `Do ${turn}`, session: 's1', agent: 'someone', turn });

async function turn(worktree: Worktree, name: string, work: () => unknown): Promise<void> {
  await beginTurn(worktree, about(name)).done;
  work();
  await take(worktree, { ...about(name), kind: 'stop', by: 'agent' });
  await endTurn(worktree, 's1');
}

const DAY_MS = 24 * 3_600_000;
const at = (worktree: Worktree, ms: number): Worktree => ({ ...worktree, now: () => ms });

it('is that of the turn that began last, whatever the clock was set to in between', async () => {
  for (const back of [2 * 60_000, DAY_MS, 3 * DAY_MS]) {
    const user = scratch();
    const worktree = await user.worktree();
    const now = Date.now();
    const early = ulid(now, worktree.random(10));
    await turn(at(worktree, now), early, () => user.write('a.txt', 'first\n'));
    const later = at(worktree, now - back);
    const second = ulid(now - back, worktree.random(10));
    // While it runs, and nothing was changed before it: there is no checkpoint of its own.
    await beginTurn(later, about(second)).done;
    user.write('a.txt', 'second\n');
    expect(await target(later)).toMatchObject({ kind: 'stop', turn: early });
    await take(later, { ...about(second), kind: 'stop', by: 'agent' });
    await endTurn(later, 's1');
    expect(await target(later)).toMatchObject({ kind: 'stop', turn: early });
    // After one whose first checkpoint is that of its end.
    await beginTurn(later, about(ulid(now - 2 * back, worktree.random(10)))).done;
    expect(await target(later)).toMatchObject({ kind: 'stop', turn: second });
    await endTurn(later, 's1');
  }
});

it('is none where the last turn has none, whatever the clock was set to in between', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const now = Date.now();
  await turn(at(worktree, now), ulid(now, worktree.random(10)), () => user.write('a.txt', 'first\n'));
  const later = at(worktree, now - DAY_MS);
  const second = ulid(now - DAY_MS, worktree.random(10));
  const gap = { id: second, turn: second, session: 's1', agent: 'someone', tool: 'turn', what: 'Do it', atMs: later.now() };
  const after = (await listCheckpoints(worktree.git, worktree.repository)).at(-1)?.id ?? null;
  logCall(worktree, { ...gap, after, wayBack: { kind: 'none', why: 'the disk is full' }, wholeTurn: true });
  const found = beforeLatestTurn(await listCheckpoints(worktree.git, worktree.repository), await openTurns(later), readCalls(worktree));
  expect(found).toEqual({ result: 'no-way-back', why: 'the disk is full' });
});

const target = async (worktree: Worktree): Promise<Checkpoint | undefined> => {
  const found = beforeLatestTurn(await listCheckpoints(worktree.git, worktree.repository), await openTurns(worktree));
  if (found && 'result' in found) throw new Error(JSON.stringify(found));
  return found;
};

it('is the end of the turn before, if the person changed nothing between the two', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  expect(await target(worktree)).toBeUndefined();
  await turn(worktree, 't1', () => user.write('a.txt', 'first\n'));
  expect(await target(worktree)).toMatchObject({ kind: 'prompt', turn: 't1' });
  await turn(worktree, 't2', () => user.write('a.txt', 'second\n'));
  expect(await target(worktree)).toMatchObject({ kind: 'stop', turn: 't1' });
  await turn(worktree, 't3', () => {});
  expect(await target(worktree)).toMatchObject({ kind: 'stop', turn: 't1' });
});

it('is that of a turn whose work the agent has committed itself', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await turn(worktree, 't1', () => user.write('a.txt', 'first\n'));
  await beginTurn(worktree, about('t2')).done;
  user.write('a.txt', 'second\n');
  user.commit('By the agent');
  await linkCommit(worktree);
  await takeAtBoundary(worktree, { ...about('t2'), kind: 'stop', by: 'agent' });
  await endTurn(worktree, 's1');
  expect(await target(worktree)).toMatchObject({ kind: 'stop', turn: 't1' });
  user.write('mine.txt', 'mine\n');
  await turn(worktree, 't3', () => user.write('a.txt', 'third\n'));
  expect(await target(worktree)).toMatchObject({ kind: 'prompt', turn: 't3' });
});

it('is that of a turn that still runs, or that died without a stop', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await turn(worktree, 't1', () => user.write('a.txt', 'first\n'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await beginTurn(worktree, about('t2')).done;
  user.write('a.txt', 'second\n');
  expect(await target(worktree)).toMatchObject({ kind: 'stop', turn: 't1' });
  await take(worktree, { ...about('t2'), kind: 'todo', by: 'agent' });
  expect(await target(worktree)).toMatchObject({ kind: 'stop', turn: 't1' });
});

it('is that of a turn that began after another, which died without a stop', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await beginTurn(worktree, about('t1')).done;
  user.write('a.txt', 'first\n');
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = { ...about(ulid(Date.now(), worktree.random(10))), session: 's2' };
  await beginTurn(worktree, second).done;
  user.write('a.txt', 'second\n');
  await take(worktree, { ...second, kind: 'stop', by: 'agent' });
  await endTurn(worktree, 's2');
  expect(await target(worktree)).toMatchObject({ kind: 'prompt', turn: second.turn });
  // Between these two nothing changed: the third has no checkpoint of its prompt.
  const third = { ...second, turn: ulid(Date.now(), worktree.random(10)) };
  await beginTurn(worktree, third).done;
  user.write('a.txt', 'third\n');
  await take(worktree, { ...third, kind: 'stop', by: 'agent' });
  await endTurn(worktree, 's2');
  expect(await target(worktree)).toMatchObject({ kind: 'stop', turn: second.turn });
});

it('a rewind that is undone and done again keeps one name, and brings back names that are not UTF-8', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const odd = Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff])]);
  await turn(worktree, 't1', () => writeFileSync(odd, 'odd name\n'));
  const before = await target(worktree);
  await rewind(worktree, before?.id ?? '');
  expect(existsSync(odd)).toBe(false);
  await undoRewind(worktree);
  expect(existsSync(odd)).toBe(true);
  await undoRewind(worktree);
  expect(existsSync(odd)).toBe(false);
  const names = (await listCheckpoints(worktree.git, worktree.repository)).map(({ name }) => name);
  expect(names.filter((name) => /Rewound to Rewound/.test(name))).toEqual([]);
});
