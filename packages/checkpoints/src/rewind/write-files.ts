import { chmod, lstat, mkdir, readdir, rename, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { readContents } from './contents.ts';
import { displace } from './displaced.ts';
import type { Step } from './rewind-plan.ts';

type Failed = { readonly path: RawPath; readonly error: string };

/** Gives back what was written; what was not goes to `failed`, and is as it was. */
export async function writeFiles(
  worktree: Worktree,
  steps: readonly Step[],
  displaced: ReadonlyMap<RawPath, string>,
  failed: Failed[],
): Promise<RawPath[]> {
  const written: RawPath[] = [];
  for await (const [step, content] of readContents(worktree, steps)) {
    const { path } = step;
    if (!Buffer.isBuffer(content)) {
      failed.push({ path, error: content.why });
      continue;
    }
    try {
      await replaceFile(worktree, path, displaced.get(path), (draft, mode) => writeDraft(worktree, step, draft, content, mode));
      written.push(path);
    } catch (error) {
      failed.push({ path, error: String(error) });
    }
  }
  return written;
}

/**
 * The new file is whole, beside the old one, before that one goes: moved to `aside`, or replaced. What cannot be written leaves
 * everything as it was. `write` gets the mode of what is there, if that is a file.
 */
export async function replaceFile(
  worktree: Worktree,
  path: RawPath,
  aside: string | undefined,
  write: (draft: Buffer, mode: number | undefined) => Promise<void>,
): Promise<void> {
  const { root } = worktree.repository;
  for (const parent of parentsOf(path)) await mkdir(onDisk(root, parent)).catch(() => null);
  const file = onDisk(root, path);
  const draft = onDisk(root, draftOf(path, Buffer.from(worktree.random(8)).toString('hex')));
  const found = await lstat(file).catch(() => null);
  try {
    await write(draft, found?.isFile() ? found.mode : undefined);
    if (aside !== undefined) await displace(worktree, path, aside);
    // One that is empty: see `isBlocked`.
    else if (found?.isDirectory()) await rmdir(file);
    await rename(draft, file);
  } catch (error) {
    await unlink(draft).catch(() => null);
    throw error;
  }
}

const draftOf = (path: RawPath, name: string): RawPath => `${path.slice(0, path.lastIndexOf('/') + 1)}.piton-${name}.draft`;
const DRAFT = /^\.piton-[0-9a-f]{16}\.draft$/;

/** What a rewind that was killed has left beside these files. */
export async function removeDrafts({ repository: { root } }: Worktree, paths: readonly RawPath[]): Promise<void> {
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
  for (const folder of folders) {
    const names = await readdir(onDisk(root, folder)).catch(() => []);
    for (const name of names.filter((one) => DRAFT.test(one))) await unlink(onDisk(root, `${folder}${name}`)).catch(() => null);
  }
}

async function writeDraft(
  { repository }: Worktree,
  { entry }: Step,
  draft: Buffer,
  bytes: Buffer,
  before: number | undefined,
): Promise<void> {
  if (entry?.mode === '120000') return symlink(bytes, draft);
  await writeFile(draft, bytes, { flag: 'wx', mode: entry?.mode === '100755' ? 0o777 : 0o666 });
  if (before === undefined) return;
  // Who may read a file is not git's to say: as before, but for the execute bits.
  const { mode } = await lstat(draft);
  const rights = repository.settings.fileMode ? (before & 0o666) | (mode & 0o111) : before & 0o777;
  if ((mode & 0o777) !== rights) await chmod(draft, rights);
}

export const lstatOrNull = (root: string, path: RawPath) => lstat(onDisk(root, path)).catch(() => null);

/** `a/b/c` → `a`, `a/b`. */
export function parentsOf(path: RawPath): RawPath[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
