import { readFileSync, statSync } from 'node:fs';

const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a file that a repository or an agent names, or nothing. A pipe would never end, a device never be full. */
export function textOfFile(path: string): string {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(path, 'utf8') : '';
  } catch {
    return ''; // does not exist, or not yet
  }
}
