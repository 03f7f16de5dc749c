import { posix } from 'node:path';
import { ANY, CLASS, globFits, hasGlob, resolvePath, SOMETHING, STAR, type Surroundings, UNKNOWN, unmarked } from '@piton/shell';

/** Nothing below these may be removed as a whole. */
const SYSTEM_TREES = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/sbin',
  '/sys',
  '/usr/bin',
  '/usr/lib',
  '/usr/sbin',
  '/usr/share',
  '/System',
];
/** These themselves are protected. What is below them is not. */
const SYSTEM_PLACES = [
  '/',
  '/Applications',
  '/Library',
  '/Users',
  '/Volumes',
  '/home',
  '/media',
  '/mnt',
  '/opt',
  '/private',
  '/private/tmp',
  '/root',
  '/run',
  '/srv',
  '/tmp',
  '/usr',
  '/usr/local',
  '/var',
  '/var/lib',
  '/var/log',
  '/var/tmp',
  '/workspace',
  '/workspaces',
];
const HOME_PLACES = [
  '',
  '.aws',
  '.config',
  '.gnupg',
  '.kube',
  '.local',
  '.local/share',
  '.ssh',
  'Desktop',
  'Documents',
  'Downloads',
  'Library',
  'Pictures',
];
const HOME_TREES = ['.ssh', '.gnupg'];
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/var/folders'];

/**
 * The name of a protected target for the answer, or undefined if it may be removed. `whole`: includes the current directory and
 * its parents.
 */
export function protectedName(word: string, from: string, { home, cwd, repo }: Surroundings, whole = true): string | undefined {
  // An unknown variable may be empty: then `rm -rf "$X/"` is `rm -rf /`.
  const tried = word.replaceAll(UNKNOWN, '').replaceAll('\uE009', '');
  if (tried === '') return undefined;
  const resolved = resolvePath(from, tried);
  if (resolved.startsWith(UNKNOWN)) return isAll(resolved.slice(2)) ? 'everything in a directory that cannot be known' : gitName(resolved);
  const path = withoutLastGlob(resolved);
  const places = [...SYSTEM_PLACES, ...HOME_PLACES.map((name) => posix.join(home, name))];
  const trees = [...SYSTEM_TREES, ...HOME_TREES.map((name) => posix.join(home, name))];
  const shown = unmarked(path).replaceAll(SOMETHING, '…');
  if ([...places, ...trees].some((place) => fits(path, place)) || isSomebodysHome(path))
    return path === home ? `the home directory (${shown})` : shown;
  if (trees.some((tree) => path.startsWith(`${tree}/`))) return shown;
  if (path.startsWith(`/${SOMETHING}`) && !path.slice(1).includes('/')) return 'something at the root of the file system';
  if (whole) {
    if (path === cwd) return `everything in the working directory (${shown})`;
    if (isAbove(path, cwd)) return `a directory above the working directory (${shown})`;
    if (repo && (path === repo || isAbove(path, repo))) return `the repository (${shown})`;
  }
  return isTemporary(path) ? undefined : gitName(path);
}

/** A place that is a directory wherever it is: no file has its name. */
export function isDirectory(word: string, from: string, { home, cwd, repo }: Surroundings): boolean {
  const path = resolvePath(from, word);
  return [...SYSTEM_PLACES, ...SYSTEM_TREES, home, cwd, repo].includes(path);
}

export const isTemporary = (path: string): boolean => TEMPORARY.some((place) => path.startsWith(`${place}/`));

const isAbove = (path: string, below: string): boolean => below.startsWith(path === '/' ? '/' : `${path}/`);
const isSomebodysHome = (path: string): boolean => /^\/(?:home|Users)\/[^/]+$/.test(path);

/** `.git` of any repository, and the parts of it that keep its history. */
function gitName(path: string): string | undefined {
  const names = path.split('/');
  return names.some((name) => name === '.git' || (hasGlob(name) && name.startsWith('.') && globFits(name, '.git')))
    ? 'a .git directory, which holds the whole history'
    : undefined;
}

/** `dir/*` means the content of `dir`. */
function withoutLastGlob(path: string): string {
  const name = posix.basename(path);
  return isAll(name) ? posix.dirname(path) : path;
}

/** A glob that matches everything: `*`, `.*`, `?*`, `[!.]*`, `**`, `!(…)`. */
const isAll = (name: string): boolean =>
  name.includes(STAR) && new RegExp(`^[.!]?(?:${STAR}|${ANY}|\\.|${CLASS}[^\\]]{0,8}\\])+$`).test(name);

/** Could the shell expand the word to this place? */
function fits(path: string, place: string): boolean {
  if (path === place) return true;
  if (!hasGlob(path)) return false;
  const [names, wanted] = [path.split('/'), place.split('/')];
  return names.length === wanted.length && names.every((name, at) => globFits(name, wanted[at] ?? ''));
}
