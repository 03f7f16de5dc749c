import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { onDisk, type RawPath } from './raw-path.ts';

/** When and how a file was last seen, so that it need not be read again. */
export type Sighting = readonly [size: string, mtime: string, ctime: string, inode: string, seenMs: number];

export type WorkingFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'special' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'file' | 'symlink'; readonly executable: boolean; readonly bytes: number; readonly sighting: Sighting };

/** What lies there now. A symlinked parent directory means absent, as it does for git. */
export async function lookAt(root: string, path: RawPath): Promise<WorkingFile> {
  if (await throughSymlink(root, path)) return { kind: 'absent' };
  const seenMs = Date.now();
  let found: BigIntStats;
  try {
    found = await lstat(onDisk(root, path), { bigint: true });
  } catch (error) {
    return isGone(error) ? { kind: 'absent' } : { kind: 'unreadable' };
  }
  if (found.isDirectory()) return { kind: 'directory' };
  if (!found.isFile() && !found.isSymbolicLink()) return { kind: 'special' };
  const sighting: Sighting = [`${found.size}`, `${found.mtimeNs}`, `${found.ctimeNs}`, `${found.ino}`, seenMs];
  const kind = found.isFile() ? 'file' : 'symlink';
  return { kind, executable: kind === 'file' && (found.mode & 0o100n) !== 0n, bytes: Number(found.size), sighting };
}

async function throughSymlink(root: string, path: RawPath): Promise<boolean> {
  const parts = path.split('/');
  for (let at = 1; at < parts.length; at++) {
    const parent = await lstat(onDisk(root, parts.slice(0, at).join('/'))).catch(() => null);
    if (parent?.isSymbolicLink()) return true;
    if (!parent) return false;
  }
  return false;
}

const isGone = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A change within the clock's own grain would leave the time stamps as they were. */
const GRAIN_MS = 100;

/** Whether a file is surely the one that was seen. */
export function isAsSeen(now: Sighting, then: Sighting): boolean {
  const settled = Number(BigInt(then[2]) / 1_000_000n) + GRAIN_MS < then[4];
  return settled && [0, 1, 2, 3].every((at) => now[at] === then[at]);
}

/** The bytes of a file, or what a symlink points to; null if it is gone or may not be read. */
export async function readWorkingFile(root: string, path: RawPath, kind: 'file' | 'symlink'): Promise<Buffer | null> {
  try {
    if (kind === 'symlink') return await readlink(onDisk(root, path), { encoding: 'buffer' });
    const file = await open(onDisk(root, path), 'r');
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

export const blobId = (format: 'sha1' | 'sha256', bytes: Uint8Array): string =>
  createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
