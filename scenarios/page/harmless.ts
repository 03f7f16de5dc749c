import { expect } from 'vitest';
import { goTo, type Opened, settled } from './browser-page.ts';

/** What no text may become. */
const MADE = 'main :is(script, iframe, object, embed, img, link, style, svg[onload], [onerror], [onfocus], [href^="javascript:" i])';

/** Everything at this place is drawn, also what is folded, and nothing of it has run or become more than text. */
export async function expectHarmless({ page }: Opened, place: string): Promise<void> {
  await goTo(page, place);
  // A click redraws: so the handles that are there now, once each.
  await page.evaluate(`(() => {
    for (const each of document.querySelectorAll('main summary, main .tree button, main .turn-head[aria-expanded=false]')) each.click();
  })()`);
  await settled(page);
  await page.waitForTimeout(200);
  expect(await page.evaluate('window.hacked ?? document.body.ownerDocument.defaultView.hacked'), place).toBeUndefined();
  expect(await page.locator(MADE).count(), place).toBe(0);
}
