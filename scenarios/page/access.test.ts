import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow } from './browser-page.ts';
import { CHROMIUM } from './chromium.ts';
import { playDay } from './day.ts';
import { openRig, type Rig } from './rig.ts';

const opens = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).waitFor();
const isRefused = (page: Page, title: RegExp) => page.getByRole('heading', { name: title }).waitFor();

describe.skipIf(CHROMIUM === undefined)('the way in, in Chromium', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig((await playDay()).stage);
  });
  afterAll(() => rig?.end());

  it('takes the code out of the address and the history, sets no cookie, and goes on after a reload', async () => {
    const { page, context } = await follow(rig.browser, rig.server.link);
    expect(page.url()).toMatch(/#\/now$/);
    expect(page.url()).not.toContain('code');
    await page.reload();
    await opens(page);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await context.close();
  });

  it('refuses a link that was used, and says what to type', async () => {
    const link = await rig.server.newLink();
    const { context } = await follow(rig.browser, link);
    const other = await rig.browser.newContext();
    const page = await other.newPage();
    await page.goto(link);
    await isRefused(page, /link was used/);
    expect(await page.locator('.command code').textContent()).toBe('piton ui');
    await Promise.all([context.close(), other.close()]);
  });

  it('shows nothing to a browser that only knows the address', async () => {
    const context = await rig.browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL('/', rig.server.link).href);
    await isRefused(page, /needs a new link/);
    expect(await page.locator('body').textContent()).not.toContain('harbor');
    await context.close();
  });

  it('lets a second tab in beside the first', async () => {
    const { context } = await follow(rig.browser, await rig.server.newLink());
    const second = await context.newPage();
    await second.goto(new URL('/#/sessions', rig.server.link).href);
    await opens(second);
    await second.locator('.session-row').first().waitFor();
    await context.close();
  });

  it('asks for a new link when its token is no longer taken', async () => {
    const { page, context } = await follow(rig.browser, await rig.server.newLink());
    await page.evaluate("sessionStorage.setItem('piton-token', 'wrong')");
    await page.goto(`${new URL('/', rig.server.link).href}#/sessions`);
    await page.reload();
    await isRefused(page, /needs a new link/);
    await context.close();
  });
});
