import { join } from 'node:path';
import { openStore, type Store } from '@piton/store';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { event } from '../../packages/store/test/records.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page as Server } from '../ui/browser.ts';
import { freePort } from '../ui/free-port.ts';
import { follow, goTo } from './browser-page.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';
import { drawnRows, WATCH_ROWS } from './drawn-rows.ts';
import { type Line, openLine } from './line.ts';

const COUNT = 2_000;
const BATCH = 50;
/** The page draws the latest 200: nobody could see more at once. */
const AHEAD = 150;

describe.skipIf(CHROMIUM === undefined)('many events, in Chromium', () => {
  let box: Sandbox;
  let store: Store;
  let server: Server;
  let line: Line;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  /** What browsers have asked for and not read to its end. */
  const streams = new Set<Request>();
  let written = 0;

  /** Each is another command, so that a row says which event it is. */
  async function write(count: number): Promise<void> {
    const batch = Array.from({ length: count }, (_, at) =>
      event(written + at + 1, { event: 'pre_tool_use', session: `ref-${(written + at) % 5}`, tool: { command: `make ${written + at};` } }),
    );
    const report = await store.record(batch);
    if (!report.ok || report.rejected.length > 0) throw new Error(JSON.stringify(report));
    written += count;
  }
  const drawn = (): Promise<(readonly [string, number, number])[]> => page.evaluate(drawnRows('make '));

  beforeAll(async () => {
    box = sandbox();
    await box.piton(['init', '--agent', 'claude', '--yes']);
    await box.piton(['server', 'stop']);
    const opened = await openStore({ kind: 'sqlite', file: join(box.state, 'piton.db') });
    if (!opened.ok) throw new Error(opened.error);
    store = opened.store;
    await write(1);
    line = await openLine();
    const port = await freePort();
    line.to(port);
    server = await openPage(box, ['--idle', '0', '--public-url', line.url, '--port', String(port)], { port });
    browser = await launchChromium();
    ({ page, problems } = await follow(browser, server.link));
    const context = page.context();
    context.on('request', (request) => void (request.url().includes('/api/live') && streams.add(request)));
    context.on('requestfinished', (request) => void streams.delete(request));
    context.on('requestfailed', (request) => void streams.delete(request));
    // The first stream began before we looked.
    await page.reload();
    await goTo(page, 'now?feed=all');
    await page.locator('.event-row', { hasText: 'make 0;' }).waitFor();
    await page.evaluate(WATCH_ROWS);
  });
  afterAll(async () => {
    await browser?.close();
    await line?.end();
    await server?.stop();
    await store?.close();
    await box?.end();
  });

  it('are each drawn once, and none is left out', async () => {
    while (written < COUNT) {
      await write(BATCH);
      // As many as are drawn anyway: what is written while a page is behind would be pushed out before it is seen.
      while (written - (await drawn()).length > AHEAD);
    }
    await expect.poll(async () => (await drawn()).length).toBe(written);
    expect((await drawn()).filter(([, times]) => times !== 1)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are still each drawn once when the stream is cut again and again', async () => {
    const before = written;
    for (let round = 0; round < 4; round += 1) {
      // With the stream at least one connection was open; what is written then, nobody hears.
      expect(line.cut()).toBeGreaterThan(0);
      await write(BATCH / 2);
      line.mend();
      await write(BATCH / 2);
      await expect.poll(async () => (await drawn()).length).toBe(written);
    }
    expect(written).toBe(before + 4 * BATCH);
    expect((await drawn()).filter(([, times]) => times !== 1)).toEqual([]);
  });

  it('come to two tabs, which have one stream between them', async () => {
    const second = await page.context().newPage();
    await second.goto(new URL('/#/now?feed=all', server.link).href);
    await second.locator('.event-row').first().waitFor();
    await second.evaluate(WATCH_ROWS);
    const seen = async (): Promise<number> => (await second.evaluate<unknown[]>(drawnRows('make '))).length;
    await write(BATCH);
    await expect.poll(() => seen()).toBeGreaterThanOrEqual(BATCH);
    await expect.poll(async () => (await drawn()).length).toBe(written);
    expect(streams.size).toBe(1);
    // The one that reads goes: the other goes on from where it is.
    await page.close();
    await write(BATCH);
    await expect.poll(async () => (await second.evaluate<unknown[]>(drawnRows(`make ${written - 1};`))).length).toBe(1);
    await second.close();
  });
});
