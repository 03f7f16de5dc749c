import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Looked at on every event: a folder of more files than this is watched in part. */
const MOST_FILES = 200;
const PASSED_OVER = new Set(['node_modules', '.git']);

/** Changes when the module or a file beside or below it does, dependencies left out. */
export function folderStamp(module: string): string {
  const parts = [stampOf(module)];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (parts.length > MOST_FILES) return;
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) visit(path);
      else if (entry.isFile() && path !== module) parts.push(stampOf(path));
    }
  };
  try {
    visit(dirname(module));
  } catch {
    // the run itself will say what is missing
  }
  return parts.join('\n');
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? `${path} gone` : `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
