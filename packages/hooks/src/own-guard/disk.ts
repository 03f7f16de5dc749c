import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disk } from './own-places.ts';

const HEAD = 64 * 1024;

export const machineDisk: Disk = { real, exists: (path) => existsSync(path), head };

/** What does not exist lies where its nearest parent that does leads. */
function real(path: string): string {
  let missing = '';
  for (let at = path; ; ) {
    // Asked first: an error that is thrown costs more than all looks together.
    const found = existsSync(at) ? realOf(at) : undefined;
    if (found !== undefined) return found === '/' ? missing || found : found + missing;
    const above = dirname(at);
    if (above === at) return path;
    missing = `/${basename(at)}${missing}`;
    at = above;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function head(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
