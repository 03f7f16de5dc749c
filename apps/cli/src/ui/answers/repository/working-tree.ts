import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoints, shownPath } from '@piton/checkpoints';
import type { PageTreeEntry } from '@piton/contracts/page';
import { notFound } from '../../answer.ts';
import { outputOf } from './repositories.ts';

const MAX_STATUS_BYTES = 8_000_000;

/** A folder as it lies there now, without what git ignores. `inside` is empty, or ends in a slash. */
export async function workingTreeEntries(checkpoints: Checkpoints, inside: string): Promise<PageTreeEntry[]> {
  const { root } = checkpoints.repository;
  const found = namesIn(root, inside);
  const { ignored, changed } = await stateOf(checkpoints, inside);
  return found.flatMap((entry): PageTreeEntry[] => {
    const name = entry.name.toString('latin1');
    if ((inside === '' && name === '.git') || ignored.has(name)) return [];
    const path = join(root, inside, entry.name.toString('utf8'));
    const kind = kindOf(entry, path);
    if (kind === null) return [];
    const full = shownPath(Buffer.from(inside).toString('latin1') + name);
    return [
      { name: full.slice(inside.length), path: full, kind, bytes: kind === 'file' ? sizeOf(path) : null, changed: changed.has(name) },
    ];
  });
}

/** Through no link: what one leads to is not in the repository. */
function namesIn(root: string, inside: string): readonly Dirent<Buffer>[] {
  const folder = join(root, inside);
  try {
    if (join(realpathSync(folder), '/') !== join(realpathSync(root), inside, '/')) throw new Error('through a link');
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    throw notFound('no such folder');
  }
}

/** Pipes, sockets and devices are in no tree. */
function kindOf(entry: Dirent<Buffer>, path: string): PageTreeEntry['kind'] | null {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  if (!entry.isDirectory()) return null;
  return lstatSync(join(path, '.git'), { throwIfNoEntry: false }) ? 'submodule' : 'folder';
}

const sizeOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.size ?? null;

/** Names in the folder, as bytes: those that git ignores, and those that are or hold something that HEAD does not have so. */
async function stateOf(checkpoints: Checkpoints, inside: string) {
  const said = await outputOf(
    checkpoints,
    [
      '--literal-pathspecs',
      '--no-optional-locks',
      ...['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal', '--ignored=matching'],
      ...(inside === '' ? [] : ['--', inside]),
    ],
    MAX_STATUS_BYTES,
  );
  const ignored = new Set<string>();
  const changed = new Set<string>();
  const above = Buffer.from(inside).toString('latin1');
  for (const line of said.toString('latin1').split('\0')) {
    const [state, path] = [line.slice(0, 2), line.slice(3)];
    if (!path.startsWith(above)) continue;
    const rest = path.slice(above.length);
    const [name = ''] = rest.split('/');
    if (state !== '!!') changed.add(name);
    else if (rest === name || rest === `${name}/`) ignored.add(name);
  }
  return { ignored, changed };
}
