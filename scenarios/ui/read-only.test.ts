import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { PageList, PageMeta, PageNow, PageOverview, PageSession } from '@piton/contracts/page';
import { openStore } from '@piton/store';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { canMount, startReadOnly } from '../first-day/read-only.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';

/** Which processes have a file of this name open, by their command lines. */
function holdersOf(file: string): readonly string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && filesOf(pid).some((open) => open.startsWith(file)))
    .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
}
function filesOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // it has ended
  }
}

/** What closes the store last takes the shared memory away. A server that ended beside the last command may have left it. */
async function closeForGood(file: string): Promise<void> {
  await eventually(() => holdersOf(file).length === 0);
  expect(holdersOf(file)).toEqual([]);
  const opened = await openStore({ kind: 'sqlite', file });
  if (opened.ok) await opened.store.close();
  expect(holdersOf(file)).toEqual([]);
}

describe.skipIf(!canMount)('a store that nobody can write', () => {
  let box: Sandbox;
  let page: Page;
  let files: readonly string[];
  beforeAll(async () => {
    box = sandbox();
    const work = box.repository();
    await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
    await fire(box, claude.start('one', work));
    await fire(box, claude.prompt('one', work, 'mend the marmot'));
    await fire(box, claude.shell('one', work, 'make', 'toolu_1'));
    await box.piton(['events', 'list'], { cwd: work });
    await box.piton(['server', 'stop']);
    await closeForGood(join(box.state, 'piton.db'));
    files = readdirSync(box.state);
    page = await openPage(box, [], { start: (args) => startReadOnly(box, args) });
  });
  afterAll(async () => {
    await page?.stop();
    await box.end();
  });

  it('is shown without shared memory beside it, and is marked as not live', async () => {
    expect(existsSync(join(box.state, 'piton.db-shm'))).toBe(false);
    expect(await page.get<PageMeta>('/api/meta')).toMatchObject({ live: false, home: box.state });
    const { items } = await page.get<PageList<PageSession>>('/api/sessions');
    expect(items).toMatchObject([{ title: 'mend the marmot', tools: 1 }]);
    expect((await page.get<PageOverview>('/api/overview?days=2')).totals).toMatchObject({ sessions: 1, tools: 1 });
    expect((await page.get<PageNow>('/api/now')).waiting).toEqual([]);
  });

  it('gets no file beside it', () => {
    expect(readdirSync(box.state)).toEqual(files);
  });
});
