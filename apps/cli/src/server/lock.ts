import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A server holds a record lock while it runs. The kernel lists locks by inode, whatever the namespace of the holder. Undefined if
 * that is not known here.
 */
export function isLocked(environment: string): boolean | undefined {
  if (!existsSync('/proc/locks')) return undefined;
  try {
    const { ino } = statSync(join(environment, 'lock'));
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .some((line) => line.includes(`:${ino} `));
  } catch {
    return false; // no lock file: there was never a server here
  }
}
