import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeConfig, writeConfig } from '../install/config-file.ts';
import { type InstallScope, isInside } from '../install/config-place.ts';
import type { FilePlan } from './plan.ts';

/** One after the other, each atomically. */
export function applyFiles(files: readonly FilePlan[], base: string, scope: InstallScope): void {
  for (const { path, before, after, mode } of files) {
    if (after === null) removeConfig(path, []);
    else writeConfig(path, after, before, { file: mode, directory: scope === 'user' ? 0o700 : 0o755, executable: (mode & 0o100) !== 0 });
  }
  for (const { path, after } of files) if (after === null) removeEmpty(dirname(path), base);
}

/** Removes directories that are now empty. */
function removeEmpty(directory: string, base: string): void {
  for (let at = directory; at !== base && isInside(at, base); at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return; // it has other content, or is gone
    }
  }
}
