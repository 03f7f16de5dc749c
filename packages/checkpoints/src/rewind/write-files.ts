import { chmod, lstat, mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import { blobsOf } from '../attribution/lines.ts';
import { nulList, onDisk, type RawPath } from '../raw-path.ts';
import { readAttributes } from '../snapshot/attributes.ts';
import { type Pointer, parsePointer, readContent } from '../snapshot/lfs.ts';
import type { Worktree } from '../worktree.ts';
import type { Step } from './rewind-plan.ts';

/**
 * Git writes the files, so that line endings, modes and symlinks are its own doing; then those that it gets wrong. Gives back what was
 * written; what was not goes to `failed`.
 */
export async function writeFiles(worktree: Worktree, all: readonly Step[], failed: { path: RawPath; error: string }[]): Promise<RawPath[]> {
  if (all.length === 0) return [];
  const { git, repository } = worktree;
  const { free: steps, lfs, filtered } = await sortByFilter(worktree, all);
  for (const { path, driver } of filtered)
    failed.push({ path, error: `written by the filter ${driver}, which Piton does not run: use git checkout` });
  const cwd = repository.root;
  const directory = await mkdtemp(join(worktree.state, 'rewind-'));
  try {
    const environment = { GIT_INDEX_FILE: join(directory, 'index') };
    const info = steps.map(({ path, entry }) => `${entry?.mode} ${entry?.oid}\t${path}\0`).join('');
    await gitOutput(git, ['update-index', '-z', '--index-info'], { cwd, environment, input: Buffer.from(info, 'latin1') });
    const modes = new Map<RawPath, number>();
    for (const { path } of steps) {
      const found = await lstatOrNull(cwd, path);
      if (found?.isFile()) modes.set(path, found.mode);
    }
    const refused = await checkOut(worktree, environment, steps);
    const written: RawPath[] = [];
    for (const step of steps) {
      const { path, verbatim } = step;
      const error = refused.get(path);
      // What git would have to filter is not needed where the bytes themselves are kept.
      const problem = error !== undefined && !verbatim ? error : await finish(worktree, step, modes.get(path)).catch(String);
      if (problem === null) written.push(path);
      else failed.push({ path, error: problem || error || 'not written' });
    }
    for (const { path, pointer, entry } of lfs) {
      const problem = await writeContent(worktree, path, await readContent(repository, pointer), entry).catch(String);
      if (problem === null) written.push(path);
      else failed.push({ path, error: problem });
    }
    return written;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Gives back what git refused, and why. It stops at the first file that it cannot convert: the others are asked for again. */
async function checkOut(
  worktree: Worktree,
  environment: Record<string, string>,
  steps: readonly Pick<Step, 'path'>[],
): Promise<Map<RawPath, string>> {
  const input = nulList(steps.map(({ path }) => path));
  const args = ['checkout-index', '--force', '--quiet', '-z', '--stdin'];
  const { code, stderr } = await worktree.git(args, { cwd: worktree.repository.root, environment, input });
  if (code === 0) return new Map();
  const [only, ...more] = steps;
  if (only && more.length === 0) return new Map([[only.path, stderr.trim()]]);
  const half = Math.ceil(steps.length / 2);
  const first = await checkOut(worktree, environment, steps.slice(0, half));
  return new Map([...first, ...(await checkOut(worktree, environment, steps.slice(half)))]);
}

/** Null if the file is there as it should be. */
async function finish(worktree: Worktree, { path, entry, verbatim }: Step, mode: number | undefined): Promise<string | null> {
  const { git, repository } = worktree;
  const file = onDisk(repository.root, path);
  if (verbatim) {
    const bytes = await gitOutput(git, ['cat-file', 'blob', verbatim], { cwd: repository.root });
    for (const parent of parentsOf(path)) await mkdir(onDisk(repository.root, parent)).catch(() => null);
    if ((await lstat(file).catch(() => null))?.isSymbolicLink()) await unlink(file);
    await writeFile(file, bytes, { mode: entry?.mode === '100755' ? 0o777 : 0o666 });
  }
  const found = await lstat(file).catch(() => null);
  if (!found) return '';
  if (entry?.mode === '120000') return found.isSymbolicLink() ? null : '';
  if (!found.isFile()) return '';
  // Who may read a file is not git's to say: as before, but for the execute bits.
  const rights = mode === undefined ? found.mode : (mode & 0o666) | (found.mode & 0o111);
  if ((found.mode & 0o777) !== (rights & 0o777)) await chmod(file, rights & 0o777);
  return null;
}

interface Sorted {
  /** Git writes them as we have them. */
  readonly free: readonly Step[];
  /** Git has a pointer; the content lies elsewhere. */
  readonly lfs: readonly (Pick<Step, 'path' | 'entry'> & { readonly pointer: Pointer })[];
  readonly filtered: readonly { readonly path: RawPath; readonly driver: string }[];
}

/** A file under a filter that changes what is written cannot be written by git, which has no such filter here. Where its bytes are kept, it need not. */
async function sortByFilter({ git, repository, state }: Worktree, steps: readonly Step[]): Promise<Sorted> {
  const { smudging, lfs } = repository.settings.filters;
  const asked = smudging.size === 0 ? [] : steps.filter(({ entry, verbatim }) => !verbatim && entry?.mode.startsWith('100'));
  const attributes = await readAttributes(
    git,
    repository,
    join(state, 'none'),
    asked.map(({ path }) => path),
  );
  const driverOf = ({ path }: Step): string | undefined => {
    const filter = attributes.get(path)?.filter;
    return filter !== undefined && smudging.has(filter) ? filter : undefined;
  };
  const under = asked.filter((step) => driverOf(step) !== undefined);
  const pointers = under.filter((step) => lfs.has(driverOf(step) ?? ''));
  const blobs = await blobsOf(
    git,
    repository.root,
    pointers.map(({ entry }) => entry?.oid ?? ''),
  );
  const found = new Map(pointers.map((step, at) => [step, parsePointer(blobs[at] ?? Buffer.alloc(0))]));
  // What was committed before somebody tracked it with LFS is written as it is, and so is a file of nothing.
  const isPlain = (step: Step): boolean => !under.includes(step) || found.get(step) === null;
  return {
    free: steps.filter(isPlain),
    lfs: [...found].flatMap(([{ path, entry }, pointer]) => (pointer ? [{ path, entry, pointer }] : [])),
    filtered: under.filter((step) => !found.has(step)).map((step) => ({ path: step.path, driver: driverOf(step) ?? '' })),
  };
}

async function writeContent({ repository }: Worktree, path: RawPath, content: Buffer | null, entry: Step['entry']): Promise<string | null> {
  if (content === null) return 'its content is not in this clone: run git lfs fetch, then rewind again';
  const file = onDisk(repository.root, path);
  for (const parent of parentsOf(path)) await mkdir(onDisk(repository.root, parent)).catch(() => null);
  const before = await lstat(file).catch(() => null);
  if (before?.isSymbolicLink()) await unlink(file);
  await writeFile(file, content);
  const isRun = entry?.mode === '100755';
  const { mode } = await lstat(file);
  if (repository.settings.fileMode && ((mode & 0o100) !== 0) !== isRun)
    await chmod(file, isRun ? mode | ((mode & 0o444) >> 2) : mode & 0o666);
  return null;
}

export const lstatOrNull = (root: string, path: RawPath) => lstat(onDisk(root, path)).catch(() => null);

/** `a/b/c` → `a`, `a/b`. */
export function parentsOf(path: RawPath): RawPath[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
