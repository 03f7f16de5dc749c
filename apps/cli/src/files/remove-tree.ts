import { chmodSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Deletes a directory with everything in it, including trusted copies, which are read-only on purpose. */
export function removeTree(path: string): void {
  makeWritable(path);
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Everything in a directory but one entry of it, and then the directory stays. */
export function removeTreeBut(path: string, kept: string): void {
  for (const name of readdirSync(path)) if (name !== kept) removeTree(join(path, name));
}

function makeWritable(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return;
  try {
    if ((stat.mode & 0o700) !== 0o700) chmodSync(path, 0o700);
    for (const name of readdirSync(path)) makeWritable(join(path, name));
  } catch {
    // not ours: rmSync will report it
  }
}

/** Directories, outermost first: each goes if nothing is in it. */
export function removeEmpty(directories: readonly string[]): void {
  for (const each of [...directories].reverse()) {
    try {
      rmdirSync(each);
    } catch {
      return; // somebody else's is in it
    }
  }
}
