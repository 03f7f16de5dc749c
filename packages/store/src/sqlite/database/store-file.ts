import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { StoreFailure } from '../../port.ts';
import { failure, failureOf } from './failure.ts';

/** Written after a corrupt page was found: the next open checks the whole store first. */
export const suspectMark = (path: string): string => `${path}.suspect`;

export function markSuspect(path: string): void {
  try {
    writeFileSync(suspectMark(path), '', { mode: 0o600 });
  } catch {
    // If the disk fails this badly, the next open finds out anyway.
  }
}

/** Creates the file if needed, readable by its owner only. SQLite gives the log files the same mode. */
export function prepareFile(path: string): StoreFailure | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // An existing file is not opened: closing any descriptor drops the locks that SQLite holds on it in this process.
    if (!existsSync(path)) create(path);
    const { uid, mode } = statSync(path);
    const ours = process.geteuid?.();
    if (ours !== undefined && uid !== ours) return failure('foreign', `${path} belongs to another user`);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(path, 0o600);
    return undefined;
  } catch (error) {
    const failed = failureOf(error, path);
    // A directory that cannot be created counts as one that cannot be written.
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
 * Stores of this process that were closed but still have an open connection. When the last connection ends, SQLite removes the
 * log by its name. If the file had been moved by then, it would remove the log of the new store.
 */
const lingering = new Set<string>();
export const lingers = (path: string): boolean => lingering.has(path);
export function noteClosed(path: string): void {
  if (existsSync(`${path}-wal`)) lingering.add(path);
}

/** Moves an unreadable store and its logs away, and returns the new path. */
export function moveAway(path: string, nowUs: number): string {
  const stamp = new Date(nowUs / 1000).toISOString().replaceAll(/[:.]/g, '-');
  let target = `${path}.corrupt-${stamp}`;
  for (let more = 2; existsSync(target); more++) target = `${path}.corrupt-${stamp}-${more}`;
  // The log first: a new store must never find the old log.
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  }
  rmSync(suspectMark(path), { force: true });
  return target;
}

/** The names of stores that were moved away, and their logs. */
export function damagedFiles(path: string): string[] {
  try {
    return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.corrupt-`));
  } catch {
    return [];
  }
}
