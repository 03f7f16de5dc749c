import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A server holds a record lock for life. The kernel lists locks by inode, whichever namespace the holder is in.
 * Undefined where that cannot be told.
 */
export function isLocked(environment: string): boolean | undefined {
  if (!existsSync('/proc/locks')) return undefined;
  try {
    const { ino } = statSync(join(environment, 'lock'));
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .some((line) => line.includes(`:${ino} `));
  } catch {
    return false; // no lock file: no server was ever here
  }
}
