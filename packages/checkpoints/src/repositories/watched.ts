import { mkdirSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isListed, readRepositories, repositoriesFile, repositoryLine, sharedDirectory } from './listed.ts';
import { findMovedFrom, movedState, moveState } from './moved-repository.ts';

/** Is it news? */
export function addRepository(home: string, root: string): boolean {
  if (followRepository(home, root)) return true;
  const known = readRepositories(home);
  if (known.includes(root)) return false;
  write(home, [...known, root]);
  return true;
}

/** A repository that was moved is watched where it lies now, with all that was known of it. Was it one? */
export function followRepository(home: string, root: string): boolean {
  const known = readRepositories(home);
  const shared = sharedDirectory(root);
  if (shared === null || known.some((each) => each === root || sharedDirectory(each) === shared)) return false;
  const from = findMovedFrom(home, known, shared);
  if (from === undefined) return false;
  moveState(home, join(from, '.git'), shared);
  // Another may have been made where it was: that one stays watched.
  const others = known.filter((each) => each !== from || sharedDirectory(each) !== null);
  write(home, [...others, dirname(shared)]);
  movedState(home, shared);
  return true;
}

export function removeRepository(home: string, root: string): boolean {
  const known = readRepositories(home);
  if (!known.includes(root)) return false;
  write(
    home,
    known.filter((each) => each !== root),
  );
  return true;
}

function write(home: string, roots: readonly string[]): void {
  const file = repositoriesFile(home);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, roots.map((root) => `${repositoryLine(root)}\n`).join(''), { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

export interface Watched {
  any(): boolean;
  /** Where `piton init` ran; other working trees of these are watched as well. */
  roots(): readonly string[];
  has(root: string): boolean;
}

/** Read again when the file changes; asked on many events. A repository is watched in all of its working trees. */
export function watchRepositories(home: string, statOf: (path: string) => Stats | undefined): Watched {
  const file = repositoriesFile(home);
  let seen = '';
  let roots: ReadonlySet<string> = new Set();
  let shared: ReadonlySet<string | null> = new Set();
  /** Looked for once: most repositories are not watched. */
  let strangers = new Set<string>();
  const look = (): ReadonlySet<string> => {
    const stat = statOf(file);
    const stamp = stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    if (stamp !== seen) {
      seen = stamp;
      roots = new Set(readRepositories(home));
      shared = new Set([...roots].map(sharedDirectory));
      strangers = new Set();
    }
    return roots;
  };
  const linked = (root: string): boolean => {
    const directory = sharedDirectory(root);
    return directory !== null && shared.has(directory);
  };
  const followed = (root: string): boolean => {
    if (strangers.has(root)) return false;
    // Another process may have followed it since this one has read the list, which may be looked at only now and then.
    if (followRepository(home, root) || isListed(home, root)) return true;
    strangers.add(root);
    return false;
  };
  return { any: () => look().size > 0, roots: () => [...look()], has: (root) => roots.has(root) || linked(root) || followed(root) };
}
