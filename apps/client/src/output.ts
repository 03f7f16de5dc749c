import { writeSync } from 'node:fs';

/** Writes all of it before it returns. An agent that closed its end is no error. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      // A full pipe that somebody made non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
