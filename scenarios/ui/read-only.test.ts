import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PageList, PageMeta, PageNow, PageOverview, PageSession } from '@piton/contracts/page';
import { openStore } from '@piton/store';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { canMount, startReadOnly } from '../first-day/read-only.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';

async function closedWithoutTrace(file: string): Promise<boolean> {
  const opened = await openStore({ kind: 'sqlite', file });
  if (opened.ok) await opened.store.close();
  return !existsSync(`${file}-shm`);
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
    // A server that ended while its store was still busy leaves shared memory beside it, which the next one to close the store takes away.
    await eventually(() => closedWithoutTrace(join(box.state, 'piton.db')));
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
