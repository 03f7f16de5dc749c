import { mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, reasonOf } from '../failure.ts';
import { makeDirectories } from '../install/config-file.ts';
import type { Planned } from './plan.ts';

/**
 * Written to a temporary folder and renamed, so that the registry never reads half of it. In an existing folder the files are
 * replaced one by one, ARTIFACT.md last: other files in it belong to the user.
 */
export function writePlanned({ folder, files, state }: Planned): void {
  const parent = dirname(folder);
  makeDirectories(parent, 0o755);
  const temporary = mkdtempSync(join(parent, `.${basename(folder)}-`));
  try {
    for (const { path, bytes, mode } of files) {
      makeDirectories(dirname(join(temporary, path)), 0o755);
      writeFileSync(join(temporary, path), bytes, { mode });
    }
    if (state === 'new') {
      // An empty folder may exist. One with content is not ours to remove.
      rmdirIfEmpty(folder);
      renameSync(temporary, folder);
    } else {
      for (const { path } of files) {
        makeDirectories(dirname(join(folder, path)), 0o755);
        renameSync(join(temporary, path), join(folder, path));
      }
    }
  } catch (error) {
    throw new Failure(`cannot write the artifact: ${reasonOf(error)}`, { where: folder });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // there is none, or the rename fails with the reason
  }
}
