import { readFile, rm } from 'node:fs/promises';
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

/** Nothing was changed after all: the rewind before is the last one. */
export const restoreUndo = (worktree: Worktree, before: UndoRecord | null): Promise<void> =>
  before === null ? rm(undoFile(worktree), { force: true }) : writeUndo(worktree, before);

export async function lastRewind(worktree: Pick<Worktree, 'state'>): Promise<UndoRecord | null> {
  const text = await readFile(undoFile(worktree), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as UndoRecord);
}

export function sightingOf({ repository }: Worktree, path: RawPath): Sighting | null {
  const found = lookAt(repository.root, path);
  return found.kind === 'file' || found.kind === 'symlink' ? found.sighting : null;
}
