import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';

/** New files that are whole, and lie beside those that they replace. */
export type Drafts = ReadonlyMap<RawPath, Buffer>;

const DRAFT = /^\.piton-[0-9a-f]{16}\.draft$/;

export const draftName = ({ random }: Worktree): RawPath => `.piton-${Buffer.from(random(8)).toString('hex')}.draft`;

/** In the folder of the file, or in the nearest above it that is there: none is made for a draft. */
export async function draftFor(worktree: Worktree, path: RawPath): Promise<Buffer> {
  const { root } = worktree.repository;
  let folder = '';
  for (const parent of parentsOf(path)) {
    if (!(await lstatOrNull(root, parent))?.isDirectory()) break;
    folder = `${parent}/`;
  }
  return onDisk(root, `${folder}${draftName(worktree)}`);
}

export async function dropDrafts(drafts: Iterable<Buffer>): Promise<void> {
  for (const draft of drafts) await unlink(draft).catch(() => null);
}

/** What a rewind that was killed has left beside these files, and the empty folders that held room. */
export async function removeDrafts({ repository: { root } }: Worktree, paths: readonly RawPath[]): Promise<void> {
  const folders = new Set(['', ...paths.flatMap(parentsOf).map((parent) => `${parent}/`)]);
  for (const folder of folders) {
    const names = await readdir(onDisk(root, folder)).catch(() => []);
    for (const name of names.filter((one) => DRAFT.test(one))) {
      const draft = onDisk(root, `${folder}${name}`);
      await unlink(draft).catch(() => rmdir(draft).catch(() => null));
    }
  }
}

export const lstatOrNull = (root: string, path: RawPath) => lstat(onDisk(root, path)).catch(() => null);

/** `a/b/c` → `a`, `a/b`. */
export function parentsOf(path: RawPath): RawPath[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
