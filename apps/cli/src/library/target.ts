import { chmodSync, existsSync, mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTree, type Tree, type TreeFile } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { removeTree } from '../files/remove-tree.ts';
import { type Change, fileChange } from '../install/change.ts';
import { makeDirectories } from '../install/config-file.ts';
import { removableIgnore, removeIgnore } from '../install/ignore-file.ts';
import { hookPlaces } from '../locations.ts';
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

const modesFor = (scope: AddScope): { directory: number; file: number; program: number } =>
  scope === 'user' ? { directory: 0o700, file: 0o600, program: 0o700 } : { directory: 0o755, file: 0o644, program: 0o755 };

/** What `writeFolder` would change, and with no files what `removeFolder` would. */
export function folderChanges(folder: string, files: readonly TreeFile[], scope: AddScope): Change[] {
  const there = new Map((treeAt(folder)?.files ?? []).map(({ path, bytes }) => [path, bytes]));
  const modes = modesFor(scope);
  const gone = [...there].filter(([path]) => !files.some((file) => file.path === path));
  return [
    ...files
      .filter(({ path, bytes }) => !there.get(path)?.equals(bytes))
      .map(({ path, bytes, executable }) =>
        fileChange(join(folder, path), there.get(path) ?? null, bytes, 'part of the hook', executable ? modes.program : modes.file),
      ),
    ...gone.map(([path, bytes]) => fileChange(join(folder, path), bytes, null, 'part of the hook')),
  ];
}

/** The folders around a removed one, up to that of all artifacts and Piton's around it, if nothing else is in them. */
export function removeEmptyFolders(folder: string, artifacts: string): void {
  const base = dirname(artifacts);
  for (let at = dirname(folder); at !== base; at = dirname(at)) removeEmpty(at);
  const ignore = removableIgnore(dirname(base));
  if (ignore !== undefined) removeIgnore(ignore);
  else removeEmpty(base);
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // it has other content
  }
}

/** Written to a temporary folder and renamed, so that half a guard never runs. */
export function writeFolder(folder: string, files: readonly TreeFile[], scope: AddScope): void {
  const modes = modesFor(scope);
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
