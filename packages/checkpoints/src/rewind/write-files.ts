import { chmod, lstat, readdir, rename, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { readContents } from './contents.ts';
import { copyDisplaced, type Displacing } from './displaced.ts';
import { type Drafts, draftFor, dropDrafts, lstatOrNull, parentsOf } from './drafts.ts';
import type { Step } from './rewind-plan.ts';
import type { RoomForFolders } from './room-for-folders.ts';

/** What is there before anything is changed. */
export interface Prepared {
  readonly drafts: Drafts;
  /** Of what is in no checkpoint. */
  readonly displacing: Displacing;
  readonly room: RoomForFolders;
}

export type Failed = { readonly path: RawPath; readonly error: string };

/**
 * Before anything is changed: every file that will be written, as a draft. Those that cannot be written go to `failed`: then no draft is
 * left, and nothing was changed.
 */
export async function writeDrafts(
  worktree: Worktree,
  steps: readonly Step[],
): Promise<{ readonly drafts: Drafts; readonly failed: Failed[] }> {
  const drafts = new Map<RawPath, Buffer>();
  const failed: Failed[] = [];
  const attempt = async ({ path }: Step, write: (draft: Buffer) => Promise<void>): Promise<void> => {
    const draft = await draftFor(worktree, path);
    drafts.set(path, draft);
    await write(draft).catch(async (error: unknown) => {
      failed.push({ path, error: String(error) });
      // What there is of it takes the room of others.
      await unlink(draft).catch(() => null);
    });
  };
  for await (const [step, content] of readContents(
    worktree,
    steps.filter(({ source, from }) => source && from === undefined),
  )) {
    if (!Buffer.isBuffer(content)) failed.push({ path: step.path, error: content.why });
    else await attempt(step, (draft) => writeDraft(worktree, step, draft, content));
  }
  for (const step of steps) {
    const { path, from } = step;
    if (from === undefined) continue;
    await attempt(step, async (draft) => void ((await copyDisplaced(worktree, from, draft)) || drafts.delete(path)));
  }
  if (failed.length > 0) await dropDrafts(drafts.values());
  return { drafts, failed };
}

/** Gives back what was written; what was not goes to `failed`, and is as it was. */
export async function placeFiles(
  worktree: Worktree,
  steps: readonly Step[],
  { drafts, displacing, room, failed }: Prepared & { readonly failed: Failed[] },
): Promise<RawPath[]> {
  const written: RawPath[] = [];
  for (const { path, from } of steps) {
    // What cannot be copied is moved.
    const draft = drafts.get(path) ?? (from === undefined ? null : join(worktree.state, from));
    if (draft === null) continue;
    try {
      await placeFile(worktree, path, draft, { displacing, room });
      written.push(path);
    } catch (error) {
      failed.push({ path, error: String(error) });
    }
  }
  return written;
}

/** The new file is whole before the old one goes: moved to `aside`, or replaced. */
async function placeFile(
  worktree: Worktree,
  path: RawPath,
  draft: Buffer | string,
  { displacing, room }: Pick<Prepared, 'displacing' | 'room'>,
): Promise<void> {
  const { root } = worktree.repository;
  for (const parent of parentsOf(path)) await room.makeFolder(parent);
  const file = onDisk(root, path);
  if (displacing.has(path)) await displacing.move(path);
  // One with nothing but folders in it: see `isBlocked`.
  else if ((await lstat(file).catch(() => null))?.isDirectory()) await removeFolders(file);
  await rename(draft, file);
}

/** `rmdir` refuses what holds anything else. */
async function removeFolders(folder: Buffer): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) await removeFolders(Buffer.concat([folder, SLASH, entry.name]));
  await rmdir(folder);
}

const SLASH = Buffer.from('/');

async function writeDraft({ repository }: Worktree, { path, entry }: Step, draft: Buffer, bytes: Buffer): Promise<void> {
  if (entry?.mode === '120000') return symlink(bytes, draft);
  await writeFile(draft, bytes, { flag: 'wx', mode: entry?.mode === '100755' ? 0o777 : 0o666 });
  const found = await lstatOrNull(repository.root, path);
  // Who may read a file is not git's to say: as before, but for the execute bits. One that nobody can read would not be back.
  if (!found?.isFile() || (found.mode & 0o400) === 0) return;
  const { mode } = await lstat(draft);
  const rights = repository.settings.fileMode ? (found.mode & 0o666) | (mode & 0o111) : found.mode & 0o777;
  if ((mode & 0o777) !== rights) await chmod(draft, rights);
}
