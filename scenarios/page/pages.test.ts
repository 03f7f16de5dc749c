import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, goTo, type Opened } from './browser-page.ts';
import { CHROMIUM } from './chromium.ts';
import { playDay } from './day.ts';
import { placesOf } from './places.ts';
import { openRig, type Rig } from './rig.ts';

/** Kept from the run: `npm run page:pictures` puts some of them into the docs. */
const FOLDER = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));

const SCREENS = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 780 }, hasTouch: true },
  large: { viewport: { width: 3840, height: 2160 } },
} as const;
const NAMES = ['now', 'sessions', 'session', 'repositories', 'repository', 'file', 'commits', 'hooks', 'overview', 'search'];

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function seriousViolations(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate<Violation[]>('axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)');
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join('\n  ')}`);
}

/** How much wider the page is than its window. */
const overflow = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** What moved without anybody having done something, as browsers score it, and where. */
const WATCH_JUMPS = `window.jumps = []; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) jumps.push({ value, where: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? String(node)) });
}).observe({ type: 'layout-shift', buffered: true })`;
/** Above it browsers call a page restless. */
const MOST_JUMPS = 0.1;
interface Jump {
  readonly value: number;
  readonly where: readonly string[];
}

async function jumpsIn(page: Page): Promise<readonly Jump[]> {
  const jumps = await page.evaluate<readonly Jump[]>('jumps.splice(0)');
  return jumps.reduce((sum, { value }) => sum + value, 0) > MOST_JUMPS ? jumps : [];
}

describe.skipIf(CHROMIUM === undefined)('the page, in Chromium', () => {
  let rig: Rig;
  let places: ReadonlyMap<string, string>;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    rig = await openRig((await playDay()).stage);
    const { page, context } = await follow(rig.browser, rig.server.link);
    places = new Map(await placesOf(page, 'Let ships book', 'harbor'));
    await context.close();
  });
  afterAll(() => rig?.end());

  describe.each(Object.entries(SCREENS))('%s', (screen, options) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await follow(rig.browser, await rig.server.newLink(), { ...options, bypassCSP: true });
      await opened.page.addScriptTag({ content: axe.source });
      await opened.page.evaluate(WATCH_JUMPS);
    });
    afterAll(() => opened?.context.close());

    it.each(NAMES)('%s: nothing jumps or is wider than the window, nothing serious for a screen reader, no error', async (name) => {
      const { page, problems, elsewhere } = opened;
      await goTo(page, 'nothing');
      await page.evaluate('jumps.length = 0');
      await goTo(page, places.get(name) ?? '');
      await page.waitForTimeout(250);
      await page.screenshot({ path: `${FOLDER}ui-${name}-${screen}.png` });
      // Without the path at the top: it is that of this machine.
      if (name === 'file' && screen === 'light')
        await page.screenshot({ path: `${FOLDER}ui-lines-light.png`, clip: { x: 232, y: 88, width: 1180, height: 660 } });
      expect(await jumpsIn(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await seriousViolations(page)).toEqual([]);
      expect(await page.locator('[role=alert]').allTextContents()).toEqual([]);
      expect(problems).toEqual([]);
      expect(elsewhere).toEqual([]);
    });
  });
});
