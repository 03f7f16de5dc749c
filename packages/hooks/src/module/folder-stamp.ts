import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Looked at on every event: a folder of more files than this is watched in part. */
const MOST_FILES = 200;
const PASSED_OVER = new Set(['node_modules', '.git']);

/** Changes when the module or a file beside or below it does, dependencies left out. The nearest files come first. */
export function folderStamp(module: string): string {
  const parts = [stampOf(module)];
  const folders = [dirname(module)];
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name) && folders.length <= MOST_FILES) folders.push(path);
      else if (entry.isFile() && path !== module && parts.length <= MOST_FILES) parts.push(stampOf(path));
    }
    if (parts.length > MOST_FILES) break;
  }
  return parts.join('\n');
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // the run itself will say what is missing
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? `${path} gone` : `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
