import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export function readPart(path: string, at: number, length: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
  } finally {
    closeSync(fd);
  }
}

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
