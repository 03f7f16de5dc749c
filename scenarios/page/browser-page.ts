import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page wrote to its console as an error, what it threw, and what its policy refused. */
  readonly problems: readonly string[];
  /** Requests to anywhere but the page's own origin. */
  readonly elsewhere: readonly string[];
}

/** A busy machine takes its time: only what hangs ends here, before the test does. Playwright's own 30 s were once not enough. */
const PATIENCE_MS = 100_000 * Number(process.env.PITON_TEST_PATIENCE ?? 1);

/** A browser of a person who follows the link. */
export async function follow(browser: Browser, link: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  const elsewhere: string[] = [];
  const { origin } = new URL(link);
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('crash', () => problems.push('the page crashed'));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return { page, context, problems, elsewhere };
}

/** Everything that was asked for is there. */
export async function settled(page: Page): Promise<void> {
  const loading = page.locator('.bones');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}

export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
  await page.waitForTimeout(100);
  await settled(page);
}
