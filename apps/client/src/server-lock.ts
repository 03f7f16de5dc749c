import { linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const EMPTY_MS = 10_000;

/**
 * A lock for where there is no forwarder to hold the real one (Node has no fcntl): a file that names a process.
 * It lets one starter through; a file whose process is gone is taken away first.
 */
export function takeLock(environment: string): boolean {
  const path = lockPath(environment);
  for (let tries = 0; tries < 3; tries++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !removeStale(path)) return false;
    }
  }
  return false;
}

/** The lock now belongs to the server that was started under it, and is free when that one ends. */
export function handLock(environment: string, pid: number | undefined): void {
  if (pid === undefined) unlinkSync(lockPath(environment));
  else writeFileSync(lockPath(environment), String(pid), { mode: 0o600 });
}

export const lockIsFree = (environment: string): boolean => !isHeld(lockPath(environment));

const lockPath = (environment: string): string => join(environment, 'lock.pid');

/** Renamed before it is judged: of two that find it stale, only one takes it away. */
function removeStale(path: string): boolean {
  if (isHeld(path)) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return true; // somebody else was faster
  }
  const fresh = isHeld(aside);
  try {
    if (fresh) linkSync(aside, path);
  } catch {
    // a third one holds it by now
  }
  unlinkSync(aside);
  return !fresh;
}

function isHeld(path: string): boolean {
  let pid: number;
  let age: number;
  try {
    pid = Number(readFileSync(path, 'utf8'));
    age = Date.now() - statSync(path).mtimeMs;
  } catch {
    return false;
  }
  // Empty: whoever made it a moment ago has not written yet, or died before it could.
  if (!Number.isInteger(pid) || pid <= 0) return age < EMPTY_MS;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('.cjs'); // the number may have been given anew
  } catch {
    return true;
  }
}
