import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, rename, rm, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isUlid, ulid, ulidTime } from '@piton/contracts';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import type { Step } from './rewind-plan.ts';

/** How long what was moved away is kept beyond the rewind that it could be taken back with. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * What lies in the way of a rewind and is in no checkpoint, being too large or looking like a secret, is moved away: outside the
 * repository, readable by its owner alone. Path → where it will lie, from the state directory, which moves with the repository. Each
 * rewind has a folder of its own: two may begin with the same checkpoint, where all that changed in between is in none.
 */
export function displacedPaths({ now, random }: Worktree, steps: readonly Step[]): ReadonlyMap<RawPath, string> {
  const folder = join('aside', ulid(now(), random(10)));
  return new Map(steps.flatMap(({ path, unrecorded }, at) => (unrecorded ? [[path, join(folder, String(at))] as const] : [])));
}

export async function displace({ repository, state }: Worktree, path: RawPath, file: string): Promise<void> {
  const [from, to] = [onDisk(repository.root, path), join(state, file)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    // The state of Piton may lie on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV' || !(await lstat(from)).isFile()) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await unlink(from);
  }
}

/** Whether it is there still. */
export const isDisplaced = ({ state }: Worktree, file: string): Promise<boolean> =>
  lstat(join(state, file)).then(
    () => true,
    () => false,
  );

/** A copy: the same rewind may be taken back more than once. False of what is neither a file nor a link, which cannot be copied. */
export async function copyDisplaced({ state }: Worktree, file: string, draft: Buffer): Promise<boolean> {
  const from = join(state, file);
  const found = await lstat(from);
  if (found.isSymbolicLink()) await symlink(await readlink(from, { encoding: 'buffer' }), draft);
  else if (found.isFile()) await copyFile(from, draft, constants.COPYFILE_EXCL);
  else return false;
  return true;
}

/** Once a rewind is done: what it has brought back may itself be old. */
export async function dropOldDisplaced({ state }: Worktree): Promise<void> {
  const folder = join(state, 'aside');
  const ids = (await readdir(folder).catch(() => [])).filter(isUlid).sort();
  for (const id of ids.slice(0, -1)) if (ulidTime(id) < Date.now() - KEPT_MS) await rm(join(folder, id), { recursive: true, force: true });
}
