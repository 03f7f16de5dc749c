import { existsSync, writeFileSync } from 'node:fs';
import { ulid } from '@piton/contracts';
import { expect, it } from 'vitest';
import {
  beforeLatestTurn,
  beginTurn,
  type Checkpoint,
  endTurn,
  linkCommit,
  listCheckpoints,
  openTurns,
  type Place,
  rewind,
  take,
  takeOwn,
  undoRewind,
} from '../src/index.ts';
import { scratch } from './scratch.ts';

const about = (turn: string) => ({ name: `Do ${turn}`, session: 's1', agent: 'someone', turn });

async function turn(place: Place, name: string, work: () => unknown): Promise<void> {
  await beginTurn(place, about(name)).done;
  work();
  await take(place, { ...about(name), kind: 'stop', by: 'agent' });
  await endTurn(place, 's1');
}

const target = async (place: Place): Promise<Checkpoint | undefined> =>
  beforeLatestTurn(await listCheckpoints(place.git, place.repository), await openTurns(place));

it('is the end of the turn before, if the person changed nothing between the two', async () => {
  const user = scratch();
  const place = await user.place();
  expect(await target(place)).toBeUndefined();
  await turn(place, 't1', () => user.write('a.txt', 'first\n'));
  expect(await target(place)).toMatchObject({ kind: 'prompt', turn: 't1' });
  await turn(place, 't2', () => user.write('a.txt', 'second\n'));
  expect(await target(place)).toMatchObject({ kind: 'stop', turn: 't1' });
  await turn(place, 't3', () => {});
  expect(await target(place)).toMatchObject({ kind: 'stop', turn: 't1' });
});

it('is that of a turn whose work the agent has committed itself', async () => {
  const user = scratch();
  const place = await user.place();
  await turn(place, 't1', () => user.write('a.txt', 'first\n'));
  await beginTurn(place, about('t2')).done;
  user.write('a.txt', 'second\n');
  user.commit('By the agent');
  await linkCommit(place);
  await takeOwn(place, { ...about('t2'), kind: 'stop', by: 'agent' });
  await endTurn(place, 's1');
  expect(await target(place)).toMatchObject({ kind: 'stop', turn: 't1' });
  user.write('mine.txt', 'mine\n');
  await turn(place, 't3', () => user.write('a.txt', 'third\n'));
  expect(await target(place)).toMatchObject({ kind: 'prompt', turn: 't3' });
});

it('is that of a turn that still runs, or that died without a stop', async () => {
  const user = scratch();
  const place = await user.place();
  await turn(place, 't1', () => user.write('a.txt', 'first\n'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await beginTurn(place, about('t2')).done;
  user.write('a.txt', 'second\n');
  expect(await target(place)).toMatchObject({ kind: 'stop', turn: 't1' });
  await take(place, { ...about('t2'), kind: 'todo', by: 'agent' });
  expect(await target(place)).toMatchObject({ kind: 'stop', turn: 't1' });
});

it('is that of a turn that began after another, which died without a stop', async () => {
  const user = scratch();
  const place = await user.place();
  await beginTurn(place, about('t1')).done;
  user.write('a.txt', 'first\n');
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = { ...about(ulid(Date.now(), place.random(10))), session: 's2' };
  await beginTurn(place, second).done;
  user.write('a.txt', 'second\n');
  await take(place, { ...second, kind: 'stop', by: 'agent' });
  await endTurn(place, 's2');
  expect(await target(place)).toMatchObject({ kind: 'prompt', turn: second.turn });
  // Between these two nothing changed: the third has no checkpoint of its prompt.
  const third = { ...second, turn: ulid(Date.now(), place.random(10)) };
  await beginTurn(place, third).done;
  user.write('a.txt', 'third\n');
  await take(place, { ...third, kind: 'stop', by: 'agent' });
  await endTurn(place, 's2');
  expect(await target(place)).toMatchObject({ kind: 'stop', turn: second.turn });
});

it('a rewind that is undone and done again keeps one name, and brings back names that are not UTF-8', async () => {
  const user = scratch();
  const place = await user.place();
  const odd = Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff])]);
  await turn(place, 't1', () => writeFileSync(odd, 'odd name\n'));
  const before = await target(place);
  await rewind(place, before?.id ?? '');
  expect(existsSync(odd)).toBe(false);
  await undoRewind(place);
  expect(existsSync(odd)).toBe(true);
  await undoRewind(place);
  expect(existsSync(odd)).toBe(false);
  const names = (await listCheckpoints(place.git, place.repository)).map(({ name }) => name);
  expect(names.filter((name) => /Rewound to Rewound/.test(name))).toEqual([]);
});
