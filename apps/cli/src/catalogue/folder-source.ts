import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ARTIFACT_FILE, readTree } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { readSource, withoutGit } from '../library/artifact-source.ts';
import { chooseHookOf, type FoundHook, hookFolders } from './hook-folders.ts';
import type { FetchedHook } from './origin.ts';

/** A folder of one hook, or of several. */
export function folderHook(context: Context, path: string, wanted: string | undefined): FetchedHook {
  const folder = resolve(context.cwd, path.replace(/^~(?=\/|$)/, context.env.HOME || homedir()));
  const below = hooksBelow(folder);
  if (below.length === 0) throw noSuchFolder(folder);
  const chosen = chooseHookOf(below, wanted, folder);
  const own = join(folder, chosen.path);
  const read = readTree(own);
  if (!read.ok) throw new Failure(`cannot read it: ${read.error}`, { where: own });
  // Refused with its own words where it is read as a source.
  const { files, leftOut } = withoutGit(read.tree);
  if (leftOut.length > 0) readSource(own, true);
  return { name: chosen.name, files, origin: { kind: 'folder', source: own, path: '' }, signed: [] };
}

const noSuchFolder = (folder: string): Failure =>
  new Failure(existsSync(folder) ? `no hook is there: no folder with an ${ARTIFACT_FILE}` : 'no such folder', {
    where: folder,
    remedy: 'see docs/writing-hooks.md',
    usage: true,
  });

const MAX_DEPTH = 4;

export const hooksBelow = (folder: string): FoundHook[] =>
  hookFolders(existsSync(join(folder, ARTIFACT_FILE)) ? [ARTIFACT_FILE] : artifactFilesBelow(folder), basename(folder));

function artifactFilesBelow(folder: string, below = '', depth = 0): string[] {
  try {
    return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile() && entry.name === ARTIFACT_FILE) return [path];
      return entry.isDirectory() && depth < MAX_DEPTH && !entry.name.startsWith('.') && entry.name !== 'node_modules'
        ? artifactFilesBelow(folder, path, depth + 1)
        : [];
    });
  } catch {
    return [];
  }
}
