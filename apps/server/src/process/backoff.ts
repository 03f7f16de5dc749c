import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlinkQuietly } from '../journal/journal.ts';

const FREE_STARTS = 3;
const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/**
 * A server that keeps crashing must not be started by every event. The file holds how often it has failed in a row, and
 * until when forwarders do not start it. A server that has run for a while removes the file.
 */
export function beginStart(environment: string): { proven(): void } {
  const file = join(environment, 'backoff');
  const failed = failedBefore(file) + 1;
  const until = failed <= FREE_STARTS ? 0 : Date.now() + Math.min(FIRST_MS * 2 ** (failed - FREE_STARTS - 1), LONGEST_MS);
  try {
    writeFileSync(file, `${until} ${failed} the server ended before it had proven itself\n`, { mode: 0o600 });
  } catch {
    // A full disk costs the count, not the start.
  }
  return { proven: () => unlinkQuietly(file) };
}

function failedBefore(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) || 0;
  } catch {
    return 0;
  }
}
