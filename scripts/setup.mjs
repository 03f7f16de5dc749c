// Installs what the lockfile names, unless that was done since the lockfile changed. Builtins only: it runs before anything is
// installed.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './sources.mjs';

const OLDEST = [20, 19];

const changed = (name) => statSync(join(ROOT, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Installs, or ends the process with one line that says what is missing. */
export function setup() {
  try {
    install();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

function install() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Error(`Piton needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`);
  }
  // npm writes this file last, so an interrupted install is repeated.
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return;
  console.log('setup: npm ci');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, error } = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error || status !== 0)
    throw new Error(`npm ci failed${error ? `: ${error.message}` : ''}. It needs the network, or a filled npm cache, once.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) setup();
