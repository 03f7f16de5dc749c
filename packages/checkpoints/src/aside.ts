import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isUlid, ulidTime } from '@piton/contracts';
import type { Place } from './place.ts';
import { onDisk, type RawPath } from './raw-path.ts';
import type { Step } from './rewind-plan.ts';

/** How long what was put aside is kept beyond the rewind that it could be taken back with. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * What lies in the way of a rewind and is in no checkpoint, being too large or looking like a secret, is put aside: outside the
 * repository, readable by its owner alone. Path → where it will lie.
 */
export function asidePlaces(place: Place, id: string, steps: readonly Step[]): ReadonlyMap<RawPath, string> {
  const folder = join(place.state, 'aside', id);
  return new Map(steps.flatMap(({ path, unrecorded }, at) => (unrecorded ? [[path, join(folder, String(at))] as const] : [])));
}

export async function putAside({ repository, state }: Place, path: RawPath, file: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  const from = onDisk(repository.root, path);
  try {
    await rename(from, file);
  } catch (error) {
    // The state of Piton may lie on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV' || !(await lstat(from)).isFile()) throw error;
    await copyFile(from, file, constants.COPYFILE_EXCL);
    await unlink(from);
  }
  await dropOld(join(state, 'aside'));
}

/** A copy: the same rewind may be taken back more than once. */
export async function bringBack({ repository }: Place, path: RawPath, file: string): Promise<void> {
  await unlink(onDisk(repository.root, path)).catch(() => null);
  await copyFile(file, onDisk(repository.root, path), constants.COPYFILE_EXCL);
}

async function dropOld(folder: string): Promise<void> {
  const ids = (await readdir(folder)).filter(isUlid).sort();
  for (const id of ids.slice(0, -1)) if (ulidTime(id) < Date.now() - KEPT_MS) await rm(join(folder, id), { recursive: true, force: true });
}
