import { readdir } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { isDisplaceable } from './displaced.ts';
import { lstatOrNull, parentsOf } from './drafts.ts';
import type { Step } from './rewind-plan.ts';

export const isDeletion = ({ entry, from }: Step): boolean => !entry && from === undefined;

/** Files that cannot be given back, because something is in their place that the rewind itself does not delete. */
export async function obstructed(worktree: Worktree, steps: readonly Step[]): Promise<Set<RawPath>> {
  const { root } = worktree.repository;
  const found = new Set<RawPath>();
  for (const { path, unrecorded } of steps) if (unrecorded && !(await isDisplaceable(worktree, path))) found.add(path);
  const going = new Set(steps.filter((step) => isDeletion(step) && !found.has(step.path)).map(({ path }) => path));
  for (const step of steps) {
    const there = await lstatOrNull(root, step.path);
    const isInPlace = isDeletion(step) ? false : await isUnder(root, step.path, going);
    // A folder where a file is to be deleted holds what others have put there.
    if (isInPlace || (there?.isDirectory() && (isDeletion(step) || !(await isAllGoing(root, step.path, going))))) found.add(step.path);
  }
  return found;
}

/** Something that is no folder, and stays. */
async function isUnder(root: string, path: RawPath, going: ReadonlySet<RawPath>): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    const found = await lstatOrNull(root, parent);
    if (found && !found.isDirectory()) return !going.has(parent);
  }
  return false;
}

/** Is all in it among these? Folders alone are nothing. */
export async function isAllGoing(root: string, folder: RawPath, going: ReadonlySet<RawPath>): Promise<boolean> {
  const entries = await readdir(onDisk(root, folder), { withFileTypes: true, encoding: 'buffer' }).catch(() => null);
  if (entries === null) return false;
  for (const entry of entries) {
    const path: RawPath = `${folder}/${entry.name.toString('latin1')}`;
    if (entry.isDirectory() ? !(await isAllGoing(root, path, going)) : !going.has(path)) return false;
  }
  return true;
}
