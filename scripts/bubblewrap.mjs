// Finds bubblewrap for the tests of the sandbox, or unpacks Debian's package of it into the cache. Needs no root, and does not
// change the system.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'bubblewrap');
const unpacked = join(cache, 'usr', 'bin');

const isOnPath = () => (process.env.PATH ?? '').split(delimiter).some((place) => existsSync(join(place, 'bwrap')));

/** The directory to prepend to PATH, '' if it is on PATH already, or undefined if it cannot be installed. */
export function bubblewrap() {
  if (process.platform !== 'linux') return undefined;
  if (isOnPath()) return '';
  return existsSync(join(unpacked, 'bwrap')) || unpack() ? unpacked : undefined;
}

function unpack() {
  mkdirSync(join(cache, '..'), { recursive: true });
  const aside = mkdtempSync(`${cache}-`);
  const run = (command, ...args) => spawnSync(command, args, { cwd: aside, stdio: ['ignore', 'ignore', 'pipe'] }).status === 0;
  try {
    // The package lists may never have been fetched here.
    if (!run('apt-get', 'download', 'bubblewrap') && !(run('apt-get', 'update') && run('apt-get', 'download', 'bubblewrap'))) return false;
    const archive = readdirSync(aside).find((name) => name.endsWith('.deb'));
    if (archive === undefined || !run('dpkg-deb', '-x', archive, 'tree')) return false;
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(aside, 'tree'), cache);
    return true;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = bubblewrap();
  console.log(found === undefined ? 'bubblewrap could not be had' : found === '' ? 'bubblewrap is on PATH' : found);
  process.exitCode = found === undefined ? 1 : 0;
}
