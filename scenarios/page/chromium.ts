import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine, if there is one: the tests bring none. */
export const CHROMIUM = [
  process.env.PITON_CHROMIUM,
  ...(process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))),
].find((file) => file !== undefined && file !== '' && existsSync(file));

/** Nothing of it may go anywhere: no updates, no sync, no sandbox where root has none. */
const ARGUMENTS = [
  ...[
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
  ...['--disable-dev-shm-usage', '--hide-scrollbars', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
];

export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium on this machine');
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}
