import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

const WAIT_MS = 10_000;
const STEP_MS = 15;
/** A lock file without a readable owner is one that a crash left half written. */
const UNREADABLE_AFTER_MS = 2_000;

/** Holds a lock file while `work` runs. One that a dead process left behind is taken away. */
export function withLock<T>(path: string, work: () => T): T {
  const owner = `${process.pid} ${randomBytes(6).toString('hex')}`;
  const until = Date.now() + WAIT_MS;
  while (!take(path, owner)) {
    if (Date.now() > until) throw new Error(`${path} is held by process ${read(path)}: if that is not Piton, remove the file`);
    removeIfDead(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
  try {
    return work();
  } finally {
    if (read(path) === owner) rmSync(path, { force: true });
  }
}

/** The lock appears with its owner in it: written under another name, then linked, which fails if there is one. */
function take(path: string, owner: string): boolean {
  const draft = `${path}.${owner.replace(' ', '.')}`;
  writeFileSync(draft, owner, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeIfDead(path: string): void {
  const owner = read(path);
  if (owner === undefined || !isDead(path, owner)) return;
  const renamed = `${path}.dead.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, renamed);
    // Between reading and renaming another may have removed the dead one and taken the lock: give it back.
    if (read(renamed) !== owner) linkSync(renamed, path);
  } catch {
    // gone, or taken again by somebody else
  }
  rmSync(renamed, { force: true });
}

function isDead(path: string, owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return ageOf(path) > UNREADABLE_AFTER_MS;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function ageOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
