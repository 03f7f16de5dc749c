import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import type { PageStage } from './stage.ts';

/** A browser, a stage and the page's server, and their end in the right order. */
export interface Rig {
  readonly browser: Browser;
  readonly stage: PageStage;
  readonly server: Awaited<ReturnType<PageStage['openPage']>>;
  end(): Promise<void>;
}

export async function openRig(stage: PageStage): Promise<Rig> {
  const server = await stage.openPage();
  const browser = await launchChromium();
  return {
    browser,
    stage,
    server,
    async end() {
      await browser.close();
      await server.stop();
      await stage.end();
    },
  };
}
