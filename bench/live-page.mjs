// The page in Chromium while events come: whether each is drawn once, how late, and what it costs while somebody looks and while nobody does.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { importTypeScript } from '../scripts/import-typescript.mjs';

const RATE = 500;
const SECONDS = 20;
const BATCH_MS = 100;
const QUIET_MS = 10_000;
/** Of this run: a store that is kept has the events of those before. */
const PREFIX = `watch ${Date.now()} `;

function launch() {
  const found = () => execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome'], { encoding: 'utf8' }).trim();
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];
  return chromium.launch({ executablePath: process.env.PITON_CHROMIUM ?? found(), args });
}

/** `token`: of the server at `origin`, whose process is `pid`; `file`: its store. */
export async function measureLive({ origin, token, pid, file }) {
  const { openStore, liveRecord } = await importTypeScript('bench/listings-entry.ts');
  const { drawnRows, WATCH_ROWS } = await importTypeScript('scenarios/page/drawn-rows.ts');
  const opened = await openStore({ kind: 'sqlite', file });
  if (!opened.ok) throw new Error(opened.error);
  const count = (await opened.store.stats()).events;
  const browser = await launch();
  try {
    const unseen = await share(pid, () => sleep(QUIET_MS));
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(`sessionStorage.setItem('piton-token', ${JSON.stringify(token)})`);
    await page.goto(`${origin}/#/now?feed=all`);
    await page.locator('.event-row').first().waitFor();
    await page.evaluate(WATCH_ROWS);
    const seen = await share(pid, () => sleep(QUIET_MS));
    const at = [];
    const began = performance.now();
    const busy = await share(pid, async () => {
      for (let batch = 0; at.length < RATE * SECONDS; batch += 1) {
        const size = (RATE * BATCH_MS) / 1000;
        const records = Array.from({ length: size }, (_, n) => liveRecord(count + at.length + n + 1, `${PREFIX}${at.length + n};`));
        const report = await opened.store.record(records);
        if (!report.ok || report.rejected.length > 0) throw new Error('not recorded');
        for (const _ of records) at.push(Date.now());
        await sleep(Math.max(0, began + (batch + 1) * BATCH_MS - performance.now()));
      }
    });
    const wrote = (performance.now() - began) / 1000;
    // All that will come has come when nothing more does.
    let rows = [];
    for (let before = -1; before !== rows.length; ) {
      before = rows.length;
      await sleep(1000);
      rows = await page.evaluate(drawnRows(PREFIX));
    }
    const late = rows.map(([text, , drawnAt]) => drawnAt - at[Number(text.slice(PREFIX.length, -1))]).sort((a, b) => a - b);
    const quantile = (share) => late[Math.floor((late.length - 1) * share)]?.toFixed(0) ?? '–';
    const twice = rows.filter(([, times]) => times > 1).length;
    console.log(`\nthe page in Chromium, ${at.length} events at ${(at.length / wrote).toFixed(0)} a second`);
    console.log(`drawn ${rows.length} of ${at.length} (${(rows.length / at.length).toFixed(3)}), more than once ${twice}`);
    console.log(`drawn after p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, last ${quantile(1)} ms`);
    console.log(
      `piton ui, share of one core: nobody looks ${percent(unseen)}, somebody looks and nothing comes ${percent(seen)}, ${RATE} events a second ${percent(busy)}`,
    );
  } finally {
    await browser.close();
    await opened.store.close();
  }
}

const PLACES = ['now', 'sessions', 'repositories', 'hooks', 'overview', 'overview?days=90', 'search?q=part', 'now?window=7d'];
const VISITS = 7;

/** From the place in the address to a page on which nothing is awaited any more. */
export async function measurePlaces({ origin, token, session }) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(`sessionStorage.setItem('piton-token', ${JSON.stringify(token)})`);
    await page.goto(`${origin}/#/nothing`);
    console.log('\nthe page in Chromium, from the address to all that it shows, in ms');
    for (const place of [...PLACES, `session/${session}`]) {
      const taken = [];
      for (let visit = 0; visit < VISITS; visit += 1) {
        await page.evaluate("location.hash = '#/nothing'; new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        taken.push(await page.evaluate(`(${visitPlace})(${JSON.stringify(`#/${place}`)})`));
      }
      taken.sort((one, other) => one - other);
      console.log(
        `${place.replace(session, ':id').padEnd(44)} ${taken.at(-1).toFixed(0).padStart(6)} slowest ${taken[taken.length >> 1].toFixed(0).padStart(6)} median`,
      );
    }
  } finally {
    await browser.close();
  }
}

/** Runs in the page. Bones stand where something is awaited; a frame later there are none if all is there. */
const visitPlace = `async (hash) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const began = performance.now();
  location.hash = hash;
  do await frame(); while (document.querySelector('.bones') || !document.querySelector('main h1'));
  return performance.now() - began;
}`;

const percent = (share) => `${(100 * share).toFixed(2)} %`;

/** Of one core, all threads of the process. */
async function share(pid, during) {
  const [before, began] = [cpuMs(pid), performance.now()];
  await during();
  return (cpuMs(pid) - before) / (performance.now() - began);
}

export function cpuMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );
}
