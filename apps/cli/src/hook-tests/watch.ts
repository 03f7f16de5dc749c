import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 250;
/** A hook's folder is small. Stop early if somebody points at a home directory. */
const MAX_FILES = 2000;

/** Resolves when the files, or anything below the folders, differ from `before`, or on the signal. */
export async function waitForChange(paths: readonly string[], before: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && stampOf(paths) === before) await sleep(POLL_MS, undefined, { signal }).catch(() => {});
}

/** Polled, because file watchers miss editors that write a temporary file and rename it. */
export function stampOf(paths: readonly string[]): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || lines.length >= MAX_FILES) return;
    lines.push(`${path}\0${stat.mtimeMs}\0${stat.size}\0${stat.mode}`);
    if (stat.isDirectory())
      for (const name of readdirSync(path).sort()) if (name !== 'node_modules' && name !== '.git') visit(join(path, name));
  };
  for (const path of paths) {
    try {
      visit(path);
    } catch {
      // deleted meanwhile: the next stamp differs
    }
  }
  return lines.join('\n');
}
