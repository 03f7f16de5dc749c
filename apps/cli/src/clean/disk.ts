import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The disk space that a file or folder really takes. If it disappears meanwhile, none. */
export function bytesOnDisk(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  const bytes = stat.blocks === 0 && stat.size > 0 && process.platform === 'win32' ? stat.size : stat.blocks * 512;
  return stat.isDirectory() ? namesIn(path).reduce((sum, name) => sum + bytesOnDisk(join(path, name)), bytes) : bytes;
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let [value, at] = [bytes, 0];
  while (value >= 1000 && at < units.length - 1) [value, at] = [value / 1000, at + 1];
  return `${at === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[at]}`;
}
