import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { StoreFailure } from '../port.ts';
import { failure, failureOf } from './failure.ts';

/** Left behind by whoever met a corrupt page: the next to open the store looks at all of it first. */
export const suspectMark = (path: string): string => `${path}.suspect`;

export function markSuspect(path: string): void {
  try {
    writeFileSync(suspectMark(path), '', { mode: 0o600 });
  } catch {
    // A disk that fails to this degree is found out at the next open anyway.
  }
}

/** Makes the file if need be, for its owner alone. SQLite gives the files beside it the same mode. */
export function prepareFile(path: string): StoreFailure | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Never opened if it is there: closing any descriptor of a file drops the locks that SQLite holds on it in this process.
    if (!existsSync(path)) create(path);
    const { uid, mode } = statSync(path);
    const ours = process.geteuid?.();
    if (ours !== undefined && uid !== ours) return failure('foreign', `${path} belongs to another user`);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(path, 0o600);
    return undefined;
  } catch (error) {
    const failed = failureOf(error, path);
    // Nobody asked to read here: a directory that cannot be made is one that cannot be written.
    return failed.problem === 'missing' ? { ...failed, problem: 'unwritable' } : failed;
  }
}

function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
  }
}

/**
 * Stores of this process that were closed and are still held by something. SQLite removes the log of a store by its
 * name when the last connection goes: had the file been moved by then, that would be the log of the one in its place.
 */
const lingering = new Set<string>();
export const lingers = (path: string): boolean => lingering.has(path);
export function noteClosed(path: string): void {
  if (existsSync(`${path}-wal`)) lingering.add(path);
}

/** Moves a store away that cannot be read, with what belongs to it, and says where to. */
export function setAside(path: string, nowUs: number): string {
  const stamp = new Date(nowUs / 1000).toISOString().replaceAll(/[:.]/g, '-');
  let target = `${path}.corrupt-${stamp}`;
  for (let more = 2; existsSync(target); more++) target = `${path}.corrupt-${stamp}-${more}`;
  // The log first: a fresh store must never find the old one's log beside it.
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  }
  rmSync(suspectMark(path), { force: true });
  return target;
}

/** The names of what was moved so, with the logs that belong to it. */
export function damagedFiles(path: string): string[] {
  try {
    return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.corrupt-`));
  } catch {
    return [];
  }
}
