import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, sep } from 'node:path';

export interface OpenFile {
  readonly fd: number;
  readonly file: string;
  readonly size: number;
  readonly modifiedMs: number;
}
export type Opened = { readonly ok: true; readonly opened: OpenFile } | { readonly ok: false; readonly refused: string | null };

/**
 * The path comes from a payload, which is untrusted: it may name a device, an endless pipe, or another user's file.
 * Only a regular file of this user is read, below the home directory or where the agent keeps its transcripts.
 * `refused: null`: there is no such file (yet).
 */
export function openTranscript(path: string, home: string, agentPath: string | null): Opened {
  if (!isAbsolute(path) || path.includes('\0')) return { ok: false, refused: 'its path is not absolute' };
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return { ok: false, refused: null };
  }
  const places = [home, ...(agentPath === null ? [] : [dirname(agentPath)])].flatMap(resolved);
  if (!places.some((place) => real.startsWith(place === sep ? sep : place + sep)))
    return { ok: false, refused: 'it is neither in your home nor where the agent keeps its transcripts' };
  let fd: number;
  try {
    // Opening a pipe would block, and a link that was created since then would lead elsewhere.
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    return { ok: false, refused: `cannot open it (${(error as NodeJS.ErrnoException).code})` };
  }
  const stat = fstatSync(fd);
  const ours = process.geteuid?.();
  const refused = !stat.isFile()
    ? 'it is not a regular file'
    : ours !== undefined && stat.uid !== ours
      ? 'it belongs to another user'
      : undefined;
  if (refused === undefined)
    return { ok: true, opened: { fd, file: `${stat.dev}:${stat.ino}`, size: stat.size, modifiedMs: stat.mtimeMs } };
  closeSync(fd);
  return { ok: false, refused };
}

/** A home of `/` would allow every path. */
function resolved(place: string): string[] {
  try {
    const real = realpathSync(place);
    return real === sep ? [] : [real];
  } catch {
    return [];
  }
}

export function readBytes(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let have = 0;
  while (have < length) {
    const count = readSync(fd, bytes, have, length - have, from + have);
    if (count === 0) break;
    have += count;
  }
  return bytes.subarray(0, have);
}
