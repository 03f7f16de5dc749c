import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawPath } from '../raw-path.ts';
import { lookAt, type Sighting } from '../snapshot/working-file.ts';
import { writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';

/** What the last rewind can be taken back with. */
export interface UndoRecord {
  /** The checkpoint of what was there before it. */
  readonly safety: string;
  /** As git has them: one character a byte. */
  readonly files: readonly RawPath[];
  /** What was in its way and in no checkpoint, and where that lies now, from the state directory. */
  readonly aside?: readonly (readonly [RawPath, string])[];
  /** Where it went, and when. Absent in what older versions wrote. */
  readonly target?: string;
  readonly atMs?: number;
  /** The checkpoint of what it left behind. Absent where it was cut short. */
  readonly after?: string;
  /** Files that no checkpoint takes, as the rewind left them; null where there is none. */
  readonly leftOut?: readonly (readonly [RawPath, Sighting | null])[];
}

const undoFile = (worktree: Pick<Worktree, 'state'>) => join(worktree.state, 'undo.json');

export const writeUndo = (worktree: Worktree, record: UndoRecord): Promise<void> => writeWhole(undoFile(worktree), JSON.stringify(record));

/** Of the rewind before, while one is tried. */
const earlierFile = (worktree: Pick<Worktree, 'state'>) => join(worktree.state, 'undo.before.json');

/** From now on this is the last rewind. The one before is put aside, which takes no room: it comes back where nothing was changed. */
export async function beginUndo(worktree: Worktree, record: UndoRecord): Promise<void> {
  await rename(undoFile(worktree), earlierFile(worktree)).catch(unlessMissing);
  await writeUndo(worktree, record).catch(async (error: unknown) => {
    await restoreUndo(worktree);
    throw error;
  });
}

/** Nothing was changed after all: the rewind before is the last one. */
export async function restoreUndo(worktree: Worktree): Promise<void> {
  await rm(undoFile(worktree), { force: true });
  await rename(earlierFile(worktree), undoFile(worktree)).catch(unlessMissing);
}

/** Something was. */
export const forgetEarlierUndo = (worktree: Worktree): Promise<void> => rm(earlierFile(worktree), { force: true });

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** The one before where a process was killed that had just put it aside. */
export async function lastRewind(worktree: Pick<Worktree, 'state'>): Promise<UndoRecord | null> {
  for (const file of [undoFile(worktree), earlierFile(worktree)]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as UndoRecord;
  }
  return null;
}

export function sightingOf({ repository }: Worktree, path: RawPath): Sighting | null {
  const found = lookAt(repository.root, path);
  return found.kind === 'file' || found.kind === 'symlink' ? found.sighting : null;
}
