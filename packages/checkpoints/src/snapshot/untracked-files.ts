import type { RawPath } from '../raw-path.ts';
import { type Skipped, WHOLE_TREE } from './skipped.ts';

/** More names than this help nobody: then all that is left goes under one. */
const MOST_FOLDERS = 200;

/**
 * Untracked files up to a limit. Where there are more, the folder that holds most of them is left out, under its name, and so on until
 * the rest fits. Holds no more than the limit at any time: of a folder that is left out it keeps the name and a count.
 */
export class UntrackedFiles {
  readonly #most: number;
  #kept: RawPath[] = [];
  readonly #folders = new Map<RawPath, number>();

  constructor(most: number) {
    this.#most = most;
  }

  add(path: RawPath): void {
    const folder = this.#folders.size === 0 ? undefined : this.#folderOf(path);
    if (folder !== undefined) this.#leaveOut(folder, 1);
    else if (this.#kept.push(path) > this.#most) this.#makeRoom();
  }

  get kept(): readonly RawPath[] {
    return this.#kept;
  }

  leftOut(): Skipped[] {
    return [...this.#folders].map(([path, files]): Skipped => ({ path, reason: 'too-many', bytes: 0, files }));
  }

  #leaveOut(folder: RawPath, files: number): void {
    this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + files);
  }

  /** The folder around this path that is left out, if there is one. */
  #folderOf(path: RawPath): RawPath | undefined {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (this.#folders.has(folder)) return folder;
    }
    if (!this.#folders.has(WHOLE_TREE)) return undefined;
    // Of files that lie at the top so many were kept as there was room for; folders beside them are still told apart.
    return !path.includes('/') || this.#folders.size > MOST_FOLDERS ? WHOLE_TREE : undefined;
  }

  #makeRoom(): void {
    const folder = this.#folders.size < MOST_FOLDERS ? this.#largest() : WHOLE_TREE;
    if (folder === WHOLE_TREE) {
      this.#kept.pop();
      return this.#leaveOut(WHOLE_TREE, 1);
    }
    const before = this.#kept.length;
    this.#kept = this.#kept.filter((path) => !path.startsWith(`${folder}/`));
    // What was left out below it goes under its name.
    let files = before - this.#kept.length;
    for (const [inner, count] of this.#folders) {
      if (!inner.startsWith(`${folder}/`)) continue;
      files += count;
      this.#folders.delete(inner);
    }
    this.#leaveOut(folder, files);
  }

  /** The deepest folder that has at least half of all there is, so that little else goes with it; or the largest at the top. */
  #largest(): RawPath {
    const counts = new Map<RawPath, number>();
    let atTop = 0;
    for (const path of this.#kept) {
      if (!path.includes('/')) atTop += 1;
      for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
        const folder = path.slice(0, at);
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
    }
    const [first = WHOLE_TREE, most = 0] = [...counts].filter(([folder]) => !folder.includes('/')).sort((a, b) => b[1] - a[1])[0] ?? [];
    if (atTop >= most) return WHOLE_TREE;
    let deepest = first;
    for (const [folder, count] of counts)
      if (folder.startsWith(`${deepest}/`) && count * 2 > most && folder.length > deepest.length) deepest = folder;
    return deepest;
  }
}
