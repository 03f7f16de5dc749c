import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, goTo } from './browser-page.ts';
import { CHROMIUM } from './chromium.ts';
import { playDay, waitForPermission } from './day.ts';
import { openRig, type Rig } from './rig.ts';
import { playedSession } from './session.ts';

const COMMANDS = 12;
const waitingCard = (page: Page, command: string) => page.locator('.card.waiting', { hasText: command });

describe.skipIf(CHROMIUM === undefined)('what happens meanwhile, in Chromium', () => {
  let rig: Rig;
  let page: Page;
  let waiting: ReturnType<typeof waitForPermission>;
  beforeAll(async () => {
    const day = await playDay();
    waiting = day.waiting;
    rig = await openRig(day.stage);
    ({ page } = await follow(rig.browser, rig.server.link));
    await goTo(page, 'now?feed=all');
  });
  afterAll(() => rig?.end());

  it('shows each event once, in two tabs that share one stream', async () => {
    const second = await page.context().newPage();
    await second.goto(new URL('/#/now?feed=all', rig.server.link).href);
    await second.locator('.event-row').first().waitFor();
    const session = playedSession(rig.stage, 'live');
    session.begin();
    session.prompt('Print numbers');
    for (let at = 0; at < COMMANDS; at += 1) session.run(`echo live-${at}-end`, `live-${at}-end`);
    for (const tab of [page, second]) {
      for (let at = 0; at < COMMANDS; at += 1) {
        // Before the call and after it: two events, each in one row.
        const rows = tab.locator('.event-row', { hasText: `echo live-${at}-end` });
        await expect.poll(() => rows.count()).toBe(2);
      }
    }
    await second.close();
  });

  it('counts what comes while it is paused, and shows it afterwards, once', async () => {
    const rows = page.locator('.event-row', { hasText: 'echo while-paused' });
    await page.getByRole('button', { name: 'Pause' }).click();
    playedSession(rig.stage, 'live').run('echo while-paused', '');
    await page.locator('.feed [role=status]').waitFor();
    expect(await rows.count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => rows.count()).toBe(2);
  });

  it('shows who waits with the exact command, also in the title, until somebody answers', async () => {
    const card = waitingCard(page, 'npx prisma migrate deploy --schema db/schema.prisma');
    await card.waitFor();
    expect(await page.title()).toMatch(/^\(1\) /);
    waiting.answer();
    await card.waitFor({ state: 'detached' });
    await page.getByText('Nobody waits for you.').waitFor();
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
  });

  it('shows one who begins to wait', async () => {
    waiting = waitForPermission(rig.stage);
    const card = waitingCard(page, 'npx prisma migrate deploy --schema db/schema.prisma');
    await card.waitFor();
    expect(await card.textContent()).toContain('Claude Code');
    expect(await card.textContent()).toContain('harbor');
  });
});
