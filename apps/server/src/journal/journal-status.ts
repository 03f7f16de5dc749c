import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerStatus } from '@piton/contracts/server-api';

/** What waits to be stored, and since when. Its age is shown because only the journal is unredacted. */
export function journalStatus(journals: string, quarantine: string): ServerStatus['journal'] {
  let waiting = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for (const name of list(journals)) {
    const path = join(journals, name);
    const files = name.endsWith('.frame')
      ? [path]
      : list(path)
          .filter((file) => file.endsWith('.log') || file.endsWith('.frame'))
          .map((file) => join(path, file));
    for (const file of files) {
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat || stat.size === 0) continue;
      waiting += 1;
      oldest = Math.min(oldest, stat.birthtimeMs);
    }
  }
  return {
    waiting,
    oldestMs: waiting > 0 ? Math.max(0, Math.round(Date.now() - oldest)) : null,
    setAside: list(quarantine).filter((name) => name.endsWith('.frame')).length,
  };
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
