import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page as Server } from '../ui/browser.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';

/** Before something is painted. The build refuses a page that alone is as large. */
const MOST_BYTES = 100_000;

describe.skipIf(CHROMIUM === undefined)('opening the page, in Chromium', () => {
  let box: Sandbox;
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    box = sandbox();
    await box.piton(['init', '--agent', 'claude', '--yes']);
    server = await openPage(box);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await box?.end();
  });

  it('loads less than its limit over the wire before something is painted, and all of it from its own origin', async () => {
    const page = await browser.newPage();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const files = new Map<string, string>();
    let bytes = 0;
    network.on('Network.responseReceived', ({ requestId, response }) => files.set(requestId, new URL(response.url).origin));
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(server.link);
    await page.getByText('Nobody waits for you.').waitFor();
    expect(files.size).toBeGreaterThan(2);
    expect([...new Set(files.values())]).toEqual([new URL(server.link).origin]);
    // Scripts and styles as the build weighs them, the answers of the API, and the headers of everything.
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});
