import { setImmediate } from 'node:timers/promises';
import type { RawPath } from '../../raw-path.ts';
import type { Worktree } from '../../worktree.ts';
import type { Observed } from '../observe.ts';
import type { Skipped } from '../skipped.ts';
import { changedByNow, type StatusEntry } from '../status.ts';
import { readSuspects, type Suspect, saveSuspects } from '../suspects.ts';
import { isAsSeen, isSameLook, lookAt, readWorkingFile, type WorkingFile } from '../working-file.ts';
import type { Known } from '../working-state.ts';
import { lfsContent } from './lfs.ts';
import { besideOf } from './recipe.ts';

/** What Git LFS has is copied up to this size: `git lfs prune` may take it away. */
export const LFS_COPY_BYTES = 1024 * 1024;
const AT_ONCE = 32;

export interface ConvertedFiles {
  readonly files: ReadonlyMap<RawPath, Observed>;
  readonly skipped: readonly Skipped[];
  /** Those that were changed since git took them for unchanged. */
  readonly changed: readonly StatusEntry[];
  /** All there are, changed or not. */
  readonly submodules: readonly RawPath[];
}

interface Options {
  readonly index: string;
  /** Those that somebody else looks at. */
  readonly except: ReadonlySet<RawPath>;
  readonly previous: ReadonlyMap<RawPath, Known>;
}

/** The files that git takes for unchanged, and of which the disk has other bytes than HEAD. */
export async function readConverted(worktree: Worktree, { index, except, previous }: Options): Promise<ConvertedFiles> {
  const suspects = await readSuspects(worktree, index);
  const files = new Map<RawPath, Observed>();
  const fresh: Fresh[] = [];
  const skipped: Skipped[] = [];
  let total = 0;
  let isNew = false;
  for (const [at, suspect] of suspects.files.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const { path } = suspect;
    const look = except.has(path) ? null : lookAt(worktree.repository.root, path);
    if (look?.kind !== 'file') continue;
    if (suspect.alike && isAsSeen(look.sighting, suspect.alike)) continue;
    const known = previous.get(path);
    if (isKnown(known, suspect, look)) {
      files.set(path, known);
      continue;
    }
    const found = fromLfs(worktree, suspect, look) ?? (await fromDisk(worktree, suspect, look));
    if (found === null) skipped.push({ path, reason: 'unreadable', bytes: look.bytes });
    else if (!found.verbatim) {
      suspect.alike = look.sighting;
      isNew = true;
    } else if (total + (found.bytes?.length ?? 0) > worktree.limits.totalBytes)
      skipped.push({ path, reason: 'total-too-large', bytes: look.bytes });
    else {
      total += found.bytes?.length ?? 0;
      fresh.push({ suspect, look, found });
    }
  }
  if (isNew) await saveSuspects(worktree, suspects);
  const changed = await changedSince(worktree, index, fresh);
  for (const { suspect, found } of fresh) if (!changed.has(suspect.path)) files.set(suspect.path, found);
  return { files, skipped, changed: [...changed.values()], submodules: suspects.submodules };
}

/** What was read for the first time. */
interface Fresh {
  readonly suspect: Suspect;
  readonly look: FileLook;
  readonly found: Observed;
}

/**
 * Git's word is of its own moment, and somebody may have written since: then other bytes are just a change. So git is asked once more,
 * and what it says then counts for files that lie there as they were read.
 */
async function changedSince(worktree: Worktree, index: string, fresh: readonly Fresh[]): Promise<ReadonlyMap<RawPath, StatusEntry>> {
  if (fresh.length === 0) return new Map();
  const byNow = await changedByNow(worktree, index);
  const changed = new Map<RawPath, StatusEntry>();
  for (const { suspect, look } of fresh) {
    const { path, entry } = suspect;
    const now = byNow.get(path);
    const isAsRead = isSameLook(lookAt(worktree.repository.root, path), look);
    if (now || !isAsRead) changed.set(path, now ?? { path, untracked: false, submodule: false, inHead: entry.oid });
  }
  return changed;
}

type FileLook = WorkingFile & { kind: 'file' | 'symlink' };

const isKnown = (known: Known | undefined, { entry }: Suspect, look: FileLook): known is Known =>
  known?.sighting !== undefined &&
  known.entry?.oid === entry.oid &&
  known.entry.mode === entry.mode &&
  isAsSeen(look.sighting, known.sighting);

/** Git says that it is what the pointer names, and Git LFS has that: a large file is neither read nor stored once more. */
function fromLfs({ repository }: Worktree, { entry, pointer }: Suspect, { bytes, sighting }: FileLook): Observed | null {
  if (!pointer || bytes <= LFS_COPY_BYTES || bytes !== pointer.bytes || lfsContent(repository, pointer) === null) return null;
  return { entry, untracked: false, sighting, verbatim: `sha256:${pointer.sha256}`, recipe: 'lfs' };
}

async function fromDisk({ repository }: Worktree, { path, entry }: Suspect, look: FileLook): Promise<Observed | null> {
  const bytes = await readWorkingFile(repository.root, path, 'file', look.bytes);
  if (!bytes) return null;
  return { entry, untracked: false, sighting: look.sighting, ...besideOf(repository.objectFormat, entry.oid, bytes) };
}
