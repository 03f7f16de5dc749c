// changesets, which says what the next version is, in the cache outside the clone: only who cuts a release needs its hundred packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The last that runs on Node 20. */
const CHANGESETS = '2.31.0';

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', `changesets-${CHANGESETS}`);
const program = () => join(cache(), 'node_modules', '@changesets', 'cli', 'bin.js');

/** The script, or null. Installs nothing. */
export const changesets = () => (existsSync(program()) ? program() : null);

export function installChangesets() {
  const there = changesets();
  if (there) return there;
  mkdirSync(cache(), { recursive: true });
  writeFileSync(join(cache(), 'package.json'), '{ "private": true }\n');
  const npm = join(dirname(process.execPath), 'npm');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `@changesets/cli@${CHANGESETS}`];
  spawnSync(existsSync(npm) ? npm : 'npm', args, { cwd: cache(), stdio: ['ignore', 'ignore', 'inherit'] });
  return changesets();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = installChangesets();
  console.log(found ?? `changesets ${CHANGESETS} could not be downloaded`);
  process.exitCode = found === null ? 1 : 0;
}
