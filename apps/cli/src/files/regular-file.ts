import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Failure } from '../failure.ts';

/** Far above the size of any settings, script or artifact that a person wrote. */
const MAX_SIZE = 32 * 1024 * 1024;

/**
 * A regular file, or an error that says what it is instead. A repository may hold a link to a device without an end or a pipe that
 * nobody writes to: reading those would fill the memory or never end.
 */
export function readRegular(path: string, maxSize = MAX_SIZE): Buffer {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'it is a directory' : 'it is not a regular file');
    if (stat.size > maxSize) throw new Error(`it is larger than ${maxSize} bytes`);
    return readUpTo(handle, stat.size + 1, maxSize);
  } finally {
    closeSync(handle);
  }
}

/** Some files grow while they are read, and files in /proc have no size. */
function readUpTo(handle: number, size: number, maxSize: number): Buffer {
  const parts: Buffer[] = [];
  for (let total = 0; ; ) {
    const part = Buffer.alloc(Math.max(size - total, 64 * 1024));
    const count = readSync(handle, part, 0, part.length, null);
    if (count === 0) return Buffer.concat(parts);
    total += count;
    if (total > maxSize) throw new Error(`it is larger than ${maxSize} bytes`);
    parts.push(part.subarray(0, count));
  }
}

/** The first link on the path from a repository's root to a place in its `.piton`. Undefined if there is none, or no repository. */
function linkOnTheWay(path: string): string | undefined {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('.piton');
  if (at < 1 || lstatSync(join(sep, ...parts.slice(0, at), '.git'), { throwIfNoEntry: false }) === undefined) return undefined;
  const ways = parts.slice(at).map((_, more) => join(sep, ...parts.slice(0, at + more + 1)));
  return ways.find((way) => lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink());
}

/** What is written into a repository stays in it: it never goes through a committed link. */
export function refuseLinks(path: string): void {
  const link = linkOnTheWay(path);
  if (link !== undefined)
    throw new Failure(`${link} is a link: Piton writes nothing through the links of a repository`, {
      where: dirname(link),
      remedy: 'replace it by a directory or a file of the repository. Nothing was changed',
    });
}
