import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expiredRewindFiles } from '@piton/checkpoints/clean';
import type { Places } from '@piton/contracts/places';
import { readTrust } from '@piton/hooks';
import { damagedStores, localStore } from '@piton/store';
import { removeTree } from '../files/remove-tree.ts';
import type { Change } from '../install/change.ts';
import { plural } from '../output/text.ts';
import { isLocked } from '../server/lock.ts';
import { bytesOnDisk, namesIn } from './disk.ts';
import type { CleanRequest, Part, PartName } from './part.ts';

const isOlder = (path: string, before: Date): boolean =>
  (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) < before.getTime();

function partOf(name: PartName, where: string, paths: readonly string[], what: (count: number) => string): Part[] {
  if (paths.length === 0) return [];
  const bytes = paths.reduce((sum, path) => sum + bytesOnDisk(path), 0);
  const remove = async (): Promise<undefined> => {
    for (const path of paths) removeTree(path);
  };
  const text = what(paths.length);
  const changes = paths.map((path): Change => ({ action: 'remove', path, what: text, whole: true }));
  return [{ name, where, what: text, bytes, count: paths.length, changes, remove }];
}

/** A running server keeps these open, even if it writes nothing for days. */
const SERVER_LOGS = ['server.log', 'troubles.log'];

/** Logs that are no longer written to. */
export function oldLogs(places: Places, { before }: CleanRequest): Part[] {
  const inUse = hasServer(places) ? SERVER_LOGS : [];
  const paths = namesIn(places.logs)
    .filter((name) => !inUse.includes(name))
    .map((name) => join(places.logs, name))
    .filter((path) => isOlder(path, before));
  return partOf('logs', places.logs, paths, (count) => plural(count, 'old log'));
}

/** In any environment of this home, since they share its logs. If that is unknown, assume there is one. */
const hasServer = (places: Places): boolean =>
  namesIn(join(places.home, 'env')).some((hash) => isLocked(join(places.home, 'env', hash)) !== false);

/** Versions of Piton that no process runs, and what a crashed `init` left behind. Their age does not matter. */
export function oldRuntimes(places: Places): Part[] {
  const current = linkIn(places.current);
  const running = runningIn(places.runtime);
  const paths = namesIn(places.runtime)
    .filter((name) => name !== 'current' && name !== current && isAbandoned(name) && running !== undefined && !running.has(name))
    .map((name) => join(places.runtime, name));
  return partOf('runtimes', places.runtime, paths, (count) => `${plural(count, 'version')} of Piton not in use`);
}

/** Through which git reads a repository that has been deleted since. Where it is back, the next event makes it anew. */
export function goneRepositories(places: Places): Part[] {
  const directory = join(places.home, 'git');
  const paths = namesIn(directory)
    .map((key) => join(directory, key))
    .filter((path) => {
      const objects = linkTarget(join(path, 'objects'));
      return objects !== undefined && !existsSync(dirname(objects));
    });
  return partOf(
    'checkpoints',
    directory,
    paths,
    (count) => `what Piton kept to read ${plural(count, 'deleted repository', 'deleted repositories')}`,
  );
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A folder that is being written right now belongs to a live process. */
function isAbandoned(name: string): boolean {
  const pid = /^\.(?:new|current)-(\d+)$/.exec(name)?.[1];
  if (pid === undefined) return !name.startsWith('.');
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function linkIn(path: string): string | undefined {
  try {
    return basename(readlinkSync(path));
  } catch {
    return undefined;
  }
}

/** The versions that some process runs. Undefined if that is unknown: then all are kept. */
function runningIn(runtime: string): ReadonlySet<string> | undefined {
  if (process.platform !== 'linux') return undefined;
  const found = new Set<string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const word of [...wordsOf(pid), exeOf(pid)])
      if (word.startsWith(`${runtime}/`)) found.add(word.slice(runtime.length + 1).split('/')[0] ?? '');
  }
  return found;
}

function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function exeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

const HOUR_MS = 3_600_000;

/** Trusted copies that no hook refers to. A young one may be about to enter the index. */
export function unusedTrust(places: Places): Part[] {
  const { index, problem } = readTrust(places.trust);
  if (problem !== undefined) return [];
  const used = new Set(Object.values(index.roots).flatMap(({ hooks }) => Object.values(hooks).map(({ hash }) => hash)));
  const objects = join(places.trust, 'objects');
  const newest = new Date(Date.now() - HOUR_MS);
  const paths = namesIn(objects)
    .filter((name) => !used.has(name))
    .map((name) => join(objects, name))
    .filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY) < newest.getTime());
  return partOf('trust', objects, paths, (count) => `${plural(count, 'trusted copy', 'trusted copies')} that no hook uses`);
}

/** Quarantined frames and damaged stores: the only copy of what is in them. */
export function quarantinedFiles(places: Places, { before }: CleanRequest): Part[] {
  const frames = namesIn(join(places.home, 'env')).flatMap((hash) => {
    const quarantine = join(places.home, 'env', hash, 'aside');
    return namesIn(quarantine).map((name) => join(quarantine, name));
  });
  const paths = [...frames, ...damagedStores(localStore(places))].filter((path) => isOlder(path, before));
  return partOf('aside', places.home, paths, (count) => `${plural(count, 'quarantined file')} (no other copy)`);
}

/** Files that a rewind had to move out of its way and that no checkpoint holds. */
export async function filesReplacedByRewinds(places: Places, { before }: CleanRequest): Promise<Part[]> {
  const directory = join(places.home, 'checkpoints');
  return partOf(
    'aside',
    directory,
    await expiredRewindFiles(directory, before),
    (count) => `files that ${plural(count, 'rewind')} replaced (no other copy)`,
  );
}
