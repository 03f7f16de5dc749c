import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, goTo, settled } from './browser-page.ts';
import { CHROMIUM } from './chromium.ts';
import { playDay } from './day.ts';
import { openRig, type Rig } from './rig.ts';

/** What has the focus, as its text. */
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
const placeOf = (page: Page): string => new URL(page.url()).hash;

describe.skipIf(CHROMIUM === undefined)('by keyboard alone, in Chromium', () => {
  let rig: Rig;
  let page: Page;
  beforeAll(async () => {
    rig = await openRig((await playDay()).stage);
    ({ page } = await follow(rig.browser, rig.server.link));
  });
  afterAll(() => rig?.end());

  it('goes from the one who waits to its session and back', async () => {
    await goTo(page, 'now');
    await page.keyboard.press('j');
    expect(await focused(page)).toContain('npx prisma migrate deploy');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/session\//);
    await settled(page);
    expect(await page.locator('h1').textContent()).toBe('Migrate the database to the new bookings table');
    await page.goBack();
    expect(placeOf(page)).toMatch(/^#\/now/);
  });

  it('walks the rows of a list down and up', async () => {
    await page.keyboard.press('s');
    await page.waitForURL(/#\/sessions/);
    await settled(page);
    await page.keyboard.press('j');
    const first = await focused(page);
    await page.keyboard.press('j');
    const second = await focused(page);
    expect(second).not.toBe(first);
    await page.keyboard.press('k');
    expect(await focused(page)).toBe(first);
  });

  it('opens a tool call and reads its decision and the hook that made it', async () => {
    await goTo(page, 'sessions');
    await page.locator('.session-row a', { hasText: 'Let ships book' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/session\//);
    await settled(page);
    await page.locator('.tool.denied summary').first().focus();
    await page.keyboard.press('Enter');
    const detail = page.locator('.tool.denied[open] .decision').first();
    await detail.waitFor();
    expect(await detail.textContent()).toContain('block-destructive-commands');
  });

  it('searches with /, types, and leaves the field with Escape', async () => {
    await page.keyboard.press('/');
    await page.waitForURL(/#\/search/);
    const field = page.getByRole('searchbox');
    await field.waitFor();
    await expect.poll(() => field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.type('jk?');
    expect(await field.inputValue()).toBe('jk?');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('INPUT');
  });

  it('lists its keys with ?, and closes the list with Escape', async () => {
    await goTo(page, 'now');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.waitFor();
    expect(await help.locator('kbd').allTextContents()).toEqual(expect.arrayContaining(['j', 'k', '/', '?', 'p']));
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });

  it('reaches the content past the pages with the first Tab', async () => {
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });
});
