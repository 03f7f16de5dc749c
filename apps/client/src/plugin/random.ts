import { closeSync, openSync, readSync } from 'node:fs';

/** Loading `node:crypto` costs more than all else that a frame needs. */
export async function randomBytes(count: number): Promise<Buffer> {
  try {
    const fd = openSync('/dev/urandom', 'r');
    const bytes = Buffer.alloc(count);
    const got = readSync(fd, bytes);
    closeSync(fd);
    if (got === count) return bytes;
  } catch {
    // no such device
  }
  return (await import('node:crypto')).randomBytes(count);
}
