// Says every few seconds that something long still runs. A process of its own, since what is long keeps this one busy.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const EVERY_MS = 10_000;

/** What `work` returns. Meanwhile `<label>: 10 s`, and how much there is in `folder` if one is named. */
export function withTicker(label, work, folder = '') {
  const ticker = spawn(process.execPath, [fileURLToPath(import.meta.url), label, folder], { stdio: ['ignore', 'inherit', 'ignore'] });
  ticker.on('error', () => {}); // nothing is said then
  try {
    return work();
  } finally {
    ticker.kill();
  }
}

/** Files come and go while npm unpacks. */
function megabytesBelow(folder) {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true })) bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return Math.round(bytes / 1e6);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [label, folder] = process.argv.slice(2);
  const [parent, started] = [process.ppid, Date.now()];
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
    let size = '';
    try {
      if (folder) size = `, ${megabytesBelow(folder)} MB`;
    } catch {}
    console.log(`${label}: ${Math.round((Date.now() - started) / 1000)} s${size}`);
  }, EVERY_MS);
}
