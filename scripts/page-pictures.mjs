// Plays a day of agents, opens the page in Chromium, and puts some of the pictures into docs/images.
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';
import { step, TOOLS } from './step.mjs';
import { settleUsage } from './usage.mjs';

settleUsage(
  'usage: npm run page:pictures\n\nTakes a few minutes: the agents of the day take their time, so that one sees what comes after what.',
  [],
);

const NAMES = ['now-light', 'session-dark', 'lines-light', 'now-phone'];

const pace = { PITON_PAGE_PACE_MS: '1500' };
if (step('build', ['scripts/build.mjs']) && step('pictures', [TOOLS.vitest, 'run', 'scenarios/page/pages.test.ts'], pace)) {
  for (const name of NAMES) {
    const file = join(ROOT, 'docs', 'images', `ui-${name}.png`);
    copyFileSync(join(ROOT, 'dist', 'pictures', `ui-${name}.png`), file);
    console.log(`docs/images/ui-${name}.png ${(statSync(file).size / 1000).toFixed(0)} KB`);
  }
} else process.exitCode = 1;
