import { join } from 'node:path';
import type { PageToken } from '@piton/contracts/page';
import { openStore, type Store } from '@piton/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { event, stampOf } from '../../packages/store/test/records.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { type LiveMessage, openPage, type Page, readLive } from './browser.ts';

let box: Sandbox;
let page: Page;
let store: Store;
let token: string;
beforeAll(async () => {
  box = sandbox();
  await box.piton(['init', '--agent', 'claude', '--yes']);
  await box.piton(['server', 'stop']);
  const opened = await openStore({ kind: 'sqlite', file: join(box.state, 'piton.db') });
  if (!opened.ok) throw new Error(opened.error);
  store = opened.store;
  await write(1, 1);
  page = await openPage(box);
  token = (JSON.parse((await page.buy()).body) as PageToken).token;
});
afterAll(async () => {
  await page.stop();
  await store.close();
  await box.end();
});

/** Our own truth: the stamps of what was written. */
const written: string[] = [];
async function write(from: number, count: number): Promise<void> {
  const batch = Array.from({ length: count }, (_, at) =>
    event(from + at, { event: 'pre_tool_use', session: `ref-${(from + at) % 7}`, tool: { command: `make ${from + at}` } }),
  );
  const report = await store.record(batch);
  if (!report.ok || report.rejected.length > 0) throw new Error(JSON.stringify(report));
  written.push(...batch.map(({ eventId }) => eventId));
}

const framesOf = (messages: readonly LiveMessage[]) => messages.filter(({ event: name }) => name === 'changes').map(({ data }) => data);
const changesIn = (messages: readonly LiveMessage[]) => framesOf(messages).flatMap(({ changes }) => changes);
const eventsIn = (messages: readonly LiveMessage[]): string[] =>
  changesIn(messages).flatMap((change) => (change.kind === 'event' ? [change.id] : []));

it('begins with where it is, if it is not told where to go on', async () => {
  const position = await store.lastChange();
  const [reset] = await readLive(page, token, '', (messages) => messages.length === 1);
  expect(reset).toMatchObject({ event: 'reset', data: position });
});

it('shows each of two thousand events once, though it is cut again and again while they are written', async () => {
  const { seq } = await store.lastChange();
  const COUNT = 2000;
  const before = written.length;
  const writing = (async () => {
    for (let done = 0; done < COUNT; done += 50) await write(1000 + done, 50);
  })();
  const seen: LiveMessage[] = [];
  let after = seq;
  for (let cuts = 0; eventsIn(seen).length < COUNT && cuts < 200; cuts += 1) {
    const messages = await readLive(
      page,
      token,
      `?after=${after}`,
      (some) => some.length >= 1 + (cuts % 3) || eventsIn([...seen, ...some]).length >= COUNT,
    );
    seen.push(...messages);
    after = messages.at(-1)?.id ?? after;
  }
  await writing;
  expect(eventsIn(seen)).toHaveLength(COUNT);
  expect(new Set(eventsIn(seen))).toEqual(new Set(written.slice(before)));
  const numbers = changesIn(seen).map((change) => change.seq);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(framesOf(seen).map((frame) => frame.seq)).toEqual(seen.map(({ id }) => id));
});

it('says a changed record again, under a greater number', async () => {
  const { seq } = await store.lastChange();
  const late = event(5000, { event: 'pre_tool_use', late: true, tool: { command: 'one' } });
  await store.record([late]);
  const [first] = changesIn(await readLive(page, token, `?after=${seq}`, (messages) => eventsIn(messages).length === 1)).filter(
    ({ kind }) => kind === 'event',
  );
  await store.record([{ ...late, late: false }]);
  const [again] = changesIn(
    await readLive(page, token, `?after=${first?.seq}`, (messages) => eventsIn(messages).includes(stampOf(5000))),
  ).filter(({ kind }) => kind === 'event');
  expect(again?.id).toBe(first?.id);
  expect(again?.seq).toBeGreaterThan(first?.seq ?? 0);
});

it('begins anew for a position of another store, or one that is not there yet', async () => {
  const { store: id, seq } = await store.lastChange();
  const first = async (query: string) => (await readLive(page, token, query, (messages) => messages.length === 1))[0];
  expect(await first(`?after=${seq}&store=another`)).toMatchObject({ event: 'reset', data: { store: id } });
  expect(await first(`?after=${seq + 1000}&store=${id}`)).toMatchObject({ event: 'reset' });
  expect(await first('?after=-1')).toMatchObject({ event: 'reset' });
});

it('has waits in the first frame, and again only when they have changed', async () => {
  const { seq } = await store.lastChange();
  const tool = { command: 'rm x' };
  await store.record([
    event(5999, { event: 'pre_tool_use', session: 'ref-w', tool }),
    event(6000, { event: 'permission_request', session: 'ref-w', tool }),
  ]);
  const writer = setInterval(() => void store.record([event(Math.round(7000 + performance.now()), { session: 'ref-w' })]), 60);
  const frames = framesOf(await readLive(page, token, `?after=${seq}`, (messages) => messages.length === 4));
  clearInterval(writer);
  expect(frames[0]?.waiting).toMatchObject([{ what: 'rm x' }]);
  expect(frames.slice(1).map(({ waiting }) => waiting)).toEqual([null, null, null]);
});
