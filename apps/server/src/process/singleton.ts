import { closeSync, openSync, realpathSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { unlinkQuietly } from '../journal/journal.ts';

const BACKLOG = 4096;

/** Whoever holds the lock may remove a socket that an earlier server left. */
export function bind(server: Server, path: string): Promise<string | undefined> {
  unlinkQuietly(path);
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(`${path}: ${error.message}`));
    server.listen({ path, backlog: BACKLOG }, () => resolve(undefined));
  });
}

/** Has `piton init` put another version in place of this one? */
export function isReplaced(current: string, program: string): boolean {
  try {
    return realpathSync(current) !== realpathSync(program);
  } catch {
    return false; // no runtime at all: doctor says so, and what runs goes on
  }
}

/** A POSIX lock goes when its holder closes any descriptor of the file: here that is wanted. */
export function releaseLock(environment: string): void {
  try {
    closeSync(openSync(join(environment, 'lock'), 'r'));
  } catch {
    // no lock file: nothing to release
  }
}
