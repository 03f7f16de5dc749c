import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTree, type Tree, type TreeFile } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { makeDirectories } from '../install/config-file.ts';
import { hookPlaces } from '../locations.ts';
import { removeTree } from '../remove-tree.ts';
import { requireRepository } from '../repository.ts';

export const SCOPES = ['user', 'project'] as const;
export type AddScope = (typeof SCOPES)[number];

/** The folder of a scope's artifacts. */
export function artifactsFolder(context: Context, scope: AddScope): string {
  return scope === 'user' ? join(hookPlaces(context).config, 'artifacts') : join(requireRepository(context), '.piton', 'artifacts');
}

/** The files there, or undefined if there is no folder. */
export function treeAt(folder: string): Tree | undefined {
  if (!existsSync(folder)) return undefined;
  const read = readTree(folder);
  if (!read.ok) throw new Failure(`cannot read the existing folder: ${read.error}`, { where: folder });
  return read.tree;
}

/** Written to a temporary folder and renamed, so that half a guard never runs. */
export function writeFolder(folder: string, files: readonly TreeFile[], scope: AddScope): void {
  const modes = scope === 'user' ? { directory: 0o700, file: 0o600, program: 0o700 } : { directory: 0o755, file: 0o644, program: 0o755 };
  const parent = dirname(folder);
  // Beside the artifacts' folder, not in it: everything in it is loaded.
  const [temporary, previous] = [join(dirname(parent), `.adding-${process.pid}`), join(dirname(parent), `.added-${process.pid}`)];
  try {
    makeDirectories(parent, modes.directory);
    for (const { path, bytes, executable } of files) {
      const target = join(temporary, path);
      mkdirSync(dirname(target), { recursive: true, mode: modes.directory });
      writeFileSync(target, bytes);
      chmodSync(target, executable ? modes.program : modes.file);
    }
    if (existsSync(folder)) renameSync(folder, previous);
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(folder) && existsSync(previous)) renameSync(previous, folder);
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot write it: ${reasonOf(error)}`, { where: folder });
  } finally {
    for (const left of [temporary, previous]) if (existsSync(left)) removeTree(left);
  }
}
