import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 250;
/** A hook's folder is small; whoever points at a home directory is not made to wait. */
const MOST_FILES = 2000;

/** Resolves when the files, or what lies below the folders, no longer are as `before`; or when nobody waits any more. */
export async function waitForChange(paths: readonly string[], before: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && stampOf(paths) === before) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
}

/** Looked up again and again: a watch of the system misses editors that write aside and rename. */
export function stampOf(paths: readonly string[]): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || lines.length >= MOST_FILES) return;
    lines.push(`${path}\0${stat.mtimeMs}\0${stat.size}\0${stat.mode}`);
    if (stat.isDirectory())
      for (const name of readdirSync(path).sort()) if (name !== 'node_modules' && name !== '.git') visit(join(path, name));
  };
  for (const path of paths) {
    try {
      visit(path);
    } catch {
      // gone while we looked: the next look differs
    }
  }
  return lines.join('\n');
}
