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

/** Has `piton init` replaced this version by another? */
export function isReplaced(current: string, program: string): boolean {
  try {
    return realpathSync(current) !== realpathSync(program);
  } catch {
    return false; // no runtime at all: doctor reports it, and this server continues
  }
}

/** A POSIX lock is released when its holder closes any descriptor of the file. Here that is intended. */
export function releaseLock(environment: string): void {
  try {
    closeSync(openSync(join(environment, 'lock'), 'r'));
  } catch {
    // no lock file: nothing to release
  }
}
