import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.ts';

/** When and how a file was last seen, so that it need not be read again. */
export type Sighting = readonly [size: string, mtime: string, ctime: string, inode: string, seenMs: number];

export type WorkingFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'special' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'file' | 'symlink'; readonly executable: boolean; readonly bytes: number; readonly sighting: Sighting };

/** What lies there now. A symlinked parent directory means absent, as it does for git. */
export function lookAt(root: string, path: RawPath): WorkingFile {
  if (throughSymlink(root, path)) return { kind: 'absent' };
  const seenMs = Date.now();
  let found: BigIntStats;
  try {
    found = lstatSync(onDisk(root, path), { bigint: true });
  } catch (error) {
    return isGone(error) ? { kind: 'absent' } : { kind: 'unreadable' };
  }
  if (found.isDirectory()) return { kind: 'directory' };
  if (!found.isFile() && !found.isSymbolicLink()) return { kind: 'special' };
  const sighting: Sighting = [`${found.size}`, `${found.mtimeNs}`, `${found.ctimeNs}`, `${found.ino}`, seenMs];
  const kind = found.isFile() ? 'file' : 'symlink';
  return { kind, executable: kind === 'file' && (found.mode & 0o100n) !== 0n, bytes: Number(found.size), sighting };
}

function throughSymlink(root: string, path: RawPath): boolean {
  const parts = path.split('/');
  try {
    for (let at = 1; at < parts.length; at++) if (lstatSync(onDisk(root, parts.slice(0, at).join('/'))).isSymbolicLink()) return true;
  } catch {
    // The file itself cannot be there either.
  }
  return false;
}

const isGone = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A change within the clock's own grain would leave the time stamps as they were. */
const GRAIN_MS = 100;
/** Of a file system that counts whole seconds, or every other one. */
const COARSE_GRAIN_MS = 2000;

/** A time of change cannot be set: one without a fraction of a second is of a file system that has none. */
export const grainMs = (ctimeNs: bigint): number => (ctimeNs % 1_000_000_000n === 0n ? COARSE_GRAIN_MS : 0) + GRAIN_MS;

/** Whether a change after `seenMs` would show. */
export const isSettled = (ctimeNs: bigint, seenMs: number): boolean => Number(ctimeNs / 1_000_000n) + grainMs(ctimeNs) < seenMs;

/** Whether a file is surely the one that was seen. */
export function isAsSeen(now: Sighting, then: Sighting): boolean {
  return isSettled(BigInt(then[2]), then[4]) && [0, 1, 2, 3].every((at) => now[at] === then[at]);
}

/** Whether nobody has changed what lay there. */
export function isSameLook(now: WorkingFile, then: WorkingFile | undefined): boolean {
  if (!('sighting' in now) || then === undefined || !('sighting' in then)) return now.kind === 'absent' && then?.kind === 'absent';
  return now.kind === then.kind && [0, 1, 2, 3].every((at) => now.sighting[at] === then.sighting[at]);
}

/** Read at once; a larger file in the background, so that others are heard meanwhile. */
const SMALL_BYTES = 64 * 1024;
/** Should a pipe lie there by now, nobody waits for its other end. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The bytes of a file, or what a symlink points to; null if it is gone or may not be read. `expected`: how many there may be. */
export async function readWorkingFile(
  root: string,
  path: RawPath,
  kind: 'file' | 'symlink',
  expected = Number.POSITIVE_INFINITY,
): Promise<Buffer | null> {
  try {
    if (kind === 'symlink') return await readlink(onDisk(root, path), { encoding: 'buffer' });
    if (expected <= SMALL_BYTES) return readSmall(onDisk(root, path));
    const file = await open(onDisk(root, path), READING);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** At once: for files of which it is known how large they are. */
export function readSmall(file: Buffer): Buffer {
  const descriptor = openSync(file, READING);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const blobId = (format: 'sha1' | 'sha256', bytes: Uint8Array): string =>
  createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
