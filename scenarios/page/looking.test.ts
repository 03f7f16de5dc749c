import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page as Server } from '../ui/browser.ts';
import { follow, goTo } from './browser-page.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';

/** Longer than a tab that nobody sees keeps its stream. */
const AWAY_MS = 25_000;

describe.skipIf(CHROMIUM === undefined)('a tab that nobody looks at, in Chromium', () => {
  let box: Sandbox;
  let work: string;
  let server: Server;
  let page: Page;
  let close: () => Promise<void>;
  const asked: string[] = [];
  beforeAll(async () => {
    box = sandbox();
    work = box.repository('harbor');
    await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
    await fire(box, claude.start('one', work));
    server = await openPage(box, ['--idle', '0.2'], { cwd: work });
    const browser = await launchChromium();
    close = () => browser.close();
    const opened = await follow(browser, server.link);
    page = opened.page;
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.install();
    await goTo(page, 'now?feed=all');
    await page.locator('.event-row').first().waitFor();
  });
  afterAll(async () => {
    await close?.();
    await server?.stop();
    await box?.end();
  });

  /** As a browser does when another tab is chosen. */
  const look = (isLooking: boolean): Promise<void> =>
    page.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!isLooking} });
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);

  it('lets its stream go, asks for nothing, and shows what came meanwhile once somebody looks again', async () => {
    await look(false);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/live'));
    await page.clock.runFor(AWAY_MS);
    await ended;
    await page.getByText('asleep').waitFor();
    asked.length = 0;
    await fire(box, claude.shell('one', work, 'make while-away', 'toolu_1'));
    await page.clock.runFor(10 * 60_000);
    expect(asked).toEqual([]);
    await look(true);
    const rows = page.locator('.event-row', { hasText: 'make while-away' });
    await expect.poll(() => rows.count()).toBe(1);
    expect(asked).toContain('/api/live');
  });

  it('lets the server end, and says so to who comes back', async () => {
    await look(false);
    await page.clock.runFor(AWAY_MS);
    await expect.poll(() => server.process.exitCode, { timeout: 60_000 }).toBe(0);
    await look(true);
    await page
      .getByText(/connection lost|server has ended|lost/i)
      .first()
      .waitFor();
  });
});
