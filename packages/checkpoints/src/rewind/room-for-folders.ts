import { mkdir, rmdir } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { draftName, lstatOrNull, parentsOf } from './drafts.ts';

/** Empty folders that hold the room for those that a rewind will make. None of these is made before: something may lie in its place. */
export class RoomForFolders {
  readonly #worktree: Worktree;
  readonly #held: Buffer[] = [];

  constructor(worktree: Worktree) {
    this.#worktree = worktree;
  }

  /** Fails where there is no room for the folders of these files. */
  async hold(paths: readonly RawPath[]): Promise<void> {
    const { root } = this.#worktree.repository;
    for (const folder of new Set(paths.flatMap(parentsOf))) {
      if ((await lstatOrNull(root, folder))?.isDirectory()) continue;
      const draft = onDisk(root, draftName(this.#worktree));
      await mkdir(draft);
      this.#held.push(draft);
    }
  }

  async makeFolder(folder: RawPath): Promise<void> {
    const place = onDisk(this.#worktree.repository.root, folder);
    await mkdir(place).catch(async (error: NodeJS.ErrnoException) => {
      const held = error.code === 'EEXIST' ? undefined : this.#held.pop();
      if (held === undefined) return;
      await rmdir(held);
      await mkdir(place).catch(() => null);
    });
  }

  async drop(): Promise<void> {
    for (const folder of this.#held.splice(0)) await rmdir(folder).catch(() => null);
  }
}
