// A program out of a package of Debian's, unpacked into the cache. Needs no root, and does not change the system.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const cacheOf = (name) => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', name);
const isOnPath = (program) => (process.env.PATH ?? '').split(delimiter).some((place) => existsSync(join(place, program)));

/** The directory to prepend to PATH, '' if it is on PATH already, or undefined if it cannot be installed. */
export function unpackedPackage(name, program) {
  if (process.platform !== 'linux') return undefined;
  if (isOnPath(program)) return '';
  const directory = join(cacheOf(name), 'usr', 'bin');
  return existsSync(join(directory, program)) || unpack(name) ? directory : undefined;
}

function unpack(name) {
  const cache = cacheOf(name);
  mkdirSync(join(cache, '..'), { recursive: true });
  const aside = mkdtempSync(`${cache}-`);
  const run = (command, ...args) => spawnSync(command, args, { cwd: aside, stdio: ['ignore', 'ignore', 'pipe'] }).status === 0;
  try {
    // The package lists may never have been fetched here.
    if (!run('apt-get', 'download', name) && !(run('apt-get', 'update') && run('apt-get', 'download', name))) return false;
    const archive = readdirSync(aside).find((file) => file.endsWith('.deb'));
    if (archive === undefined || !run('dpkg-deb', '-x', archive, 'tree')) return false;
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(aside, 'tree'), cache);
    return true;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
