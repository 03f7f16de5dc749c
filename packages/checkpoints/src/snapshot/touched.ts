import { join } from 'node:path';
import { GitError } from '@piton/git';
import { fields, fromRoot, inInnerRepository, nulList, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import type { StatusEntry } from './status.ts';
import { type Entry, lookUp } from './tree.ts';
import type { WorkingState } from './working-state.ts';

export interface Candidates {
  readonly entries: readonly StatusEntry[];
  /** How HEAD has those paths that had to be looked up; null where it has no such file. */
  readonly inHead: ReadonlyMap<RawPath, Entry | null>;
}

/** Of the files that a tool named, those that belong in a checkpoint: in this repository, not in one inside it, not ignored. */
export async function touchedCandidates(
  worktree: Worktree,
  head: string | null,
  last: WorkingState,
  touched: readonly string[],
): Promise<Candidates> {
  const { repository } = worktree;
  const paths = new Set<RawPath>();
  for (const file of touched) {
    const path = fromRoot(repository.root, file);
    if (path !== null && !inInnerRepository(repository.root, path)) paths.add(path);
  }
  return candidatesAmong(worktree, head, last, paths);
}

/** Paths of this working tree that are tracked, or known, or not ignored. */
export async function candidatesAmong(
  worktree: Worktree,
  head: string | null,
  last: Pick<WorkingState, 'files'>,
  paths: ReadonlySet<RawPath>,
): Promise<Candidates> {
  const { git, repository } = worktree;
  const unknown = [...paths].filter((path) => !last.files.has(path));
  const tracked = head && unknown.length > 0 ? await lookUp(git, repository.root, head, unknown) : new Map<RawPath, Entry>();
  const ignored = await ignoredAmong(
    worktree,
    unknown.filter((path) => !tracked.has(path)),
  );
  const entries = [...paths]
    .filter((path) => !ignored.has(path))
    .map((path) => ({
      path,
      untracked: last.files.get(path)?.untracked ?? !tracked.has(path),
      submodule: tracked.get(path)?.mode === '160000',
      ...(tracked.has(path) && { inHead: tracked.get(path)?.oid as string }),
    }));
  return { entries, inHead: new Map(unknown.map((path) => [path, tracked.get(path) ?? null])) };
}

/** Whether a path is tracked is asked elsewhere: reading the index takes longer the larger the repository is. */
export async function ignoredAmong({ git, repository, state }: Worktree, paths: readonly RawPath[]): Promise<Set<RawPath>> {
  if (paths.length === 0) return new Set();
  // It takes no patterns, and refuses to be told so.
  const environment = { GIT_INDEX_FILE: join(state, 'none'), GIT_LITERAL_PATHSPECS: '0' };
  const args = ['check-ignore', '-z', '--stdin', '--no-index'];
  const result = await git(args, { cwd: repository.root, input: nulList(paths), environment });
  if (result.code !== 0 && result.code !== 1) throw new GitError(args, result);
  return new Set(fields(result.stdout));
}
