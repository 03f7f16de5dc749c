import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isUlid, ulid, ulidTime } from '@piton/contracts';
import { onDisk, type RawPath } from '../raw-path.ts';
import { lookAt } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';
import { canRename, copyWhole, isCopyable, isOnOneDisk } from './copy-whole.ts';
import { draftName, parentsOf } from './drafts.ts';
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

/** Whether what lies there can be moved away: to another disk only files and links can, since they are all that can be copied. */
export async function isDisplaceable({ repository: { root }, state }: Worktree, path: RawPath): Promise<boolean> {
  const place = onDisk(root, path);
  const found = await lstat(place).catch(() => null);
  // Nothing but folders: they are no more than removed.
  if (!found || found.isDirectory()) return true;
  return (await isCopyable(place, found)) || (await isOnOneDisk(place, state));
}

/**
 * Moves away what is in the way. Where the state of Piton lies on another disk all is copied before anything is changed, so that there
 * is room for it, and what is there then is removed once its copy is known to be of just that.
 */
export class Displacing {
  readonly #worktree: Worktree;
  readonly #places: ReadonlyMap<RawPath, string>;
  /** What each copy is of. */
  readonly #copied = new Map<RawPath, BigIntStats>();

  constructor(worktree: Worktree, places: ReadonlyMap<RawPath, string>) {
    [this.#worktree, this.#places] = [worktree, places];
  }

  has = (path: RawPath): boolean => this.#places.has(path);

  /** Before anything is changed: what cannot be moved, and why. Then nothing is left of the others. */
  async prepare(): Promise<{ readonly path: RawPath; readonly error: string }[]> {
    const failed: { path: RawPath; error: string }[] = [];
    const movable = new Map<RawPath, Promise<boolean>>();
    for (const [path, file] of this.#places) {
      const { repository, state } = this.#worktree;
      if (['absent', 'directory'].includes(lookAt(repository.root, path).kind)) continue;
      const folder = parentsOf(path).at(-1) ?? '';
      try {
        await mkdir(dirname(join(state, file)), { recursive: true, mode: 0o700 });
        const draft = onDisk(repository.root, `${folder === '' ? '' : `${folder}/`}${draftName(this.#worktree)}`);
        if (!movable.has(folder)) movable.set(folder, canRename(draft, `${join(state, file)}.trial`));
        if (!(await movable.get(folder))) await this.#copy(path, file);
      } catch (error) {
        failed.push({ path, error: String(error) });
      }
    }
    if (failed.length > 0) await this.drop();
    return failed;
  }

  async move(path: RawPath): Promise<void> {
    const file = this.#places.get(path);
    if (file === undefined) return;
    const { repository, state } = this.#worktree;
    const [from, to, copied] = [onDisk(repository.root, path), join(state, file), this.#copied.get(path)];
    if (!copied) return rename(from, to);
    // Written to meanwhile: it is this that would be gone.
    if (!isSame(await lstat(from, { bigint: true }), copied)) await this.#copy(path, file);
    await unlink(from);
    this.#copied.delete(path);
  }

  /** A copy shows up under its name once it is whole: one whose making was killed is none. */
  async #copy(path: RawPath, file: string): Promise<void> {
    const { repository, state } = this.#worktree;
    const [from, to] = [onDisk(repository.root, path), join(state, file)];
    const found = await lstat(from, { bigint: true });
    const part = `${to}.part`;
    await rm(part, { force: true });
    try {
      await copyWhole(from, part);
      await rename(part, to);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    this.#copied.set(path, found);
  }

  /** Copies of what was not moved away after all. */
  async drop(): Promise<void> {
    const { state } = this.#worktree;
    for (const path of this.#copied.keys()) await rm(join(state, this.#places.get(path) ?? ''), { force: true });
    this.#copied.clear();
    // Refused where anything lies in it.
    for (const folder of new Set([...this.#places.values()].map(dirname))) await rmdir(join(state, folder)).catch(() => null);
  }
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/** Whether it is there still. */
export const isDisplaced = ({ state }: Worktree, file: string): Promise<boolean> =>
  lstat(join(state, file)).then(
    () => true,
    () => false,
  );

/** Whether it can come back to this place: see `isDisplaceable`. */
export async function canComeBack({ repository: { root }, state }: Worktree, file: string, path: RawPath): Promise<boolean> {
  const from = join(state, file);
  return (await isCopyable(from, await lstat(from))) || (await isOnOneDisk(from, onDisk(root, path)));
}

/**
 * A copy: the same rewind may be taken back more than once. False of what cannot be copied, such as a pipe, and can be moved to where the
 * draft would be.
 */
export async function copyDisplaced({ state }: Worktree, file: string, draft: Buffer): Promise<boolean> {
  const from = join(state, file);
  if (await isCopyable(from, await lstat(from))) {
    await copyWhole(from, draft);
    return true;
  }
  if (!(await canRename(`${from}.trial`, draft))) throw new Error('it cannot be moved to this disk');
  return false;
}

/** Once a rewind is done: what it has brought back may itself be old. */
export async function dropOldDisplaced({ state }: Worktree): Promise<void> {
  const folder = join(state, 'aside');
  const ids = (await readdir(folder).catch(() => [])).filter(isUlid).sort();
  for (const id of ids.slice(0, -1)) if (ulidTime(id) < Date.now() - KEPT_MS) await rm(join(folder, id), { recursive: true, force: true });
}
