import { resolve } from 'node:path';
import { gitOutput } from '@piton/git';
import { fromRoot, inInnerRepository, pathBytes, type RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { inLeftOutFolder } from '../snapshot/skipped.ts';
import { ignoredAmong } from '../snapshot/touched.ts';
import { lookUp } from '../snapshot/tree.ts';
import { lookAt, readWorkingFile } from '../snapshot/working-file.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';

/** Why nobody can say whose the lines of something are. */
export type Unblamable =
  | 'outside'
  | 'missing'
  | 'directory'
  | 'submodule'
  | 'other-repository'
  | 'special'
  | 'unreadable'
  | 'binary'
  | 'ignored'
  | 'left-out'
  | 'no-such-commit';

/** Null if it has lines that somebody wrote. */
export async function unblamable(worktree: Worktree, file: string, rev?: string): Promise<Unblamable | null> {
  if (resolve(worktree.repository.root, file) === worktree.repository.root) return 'directory';
  const path = fromRoot(worktree.repository.root, file);
  if (path === null) return 'outside';
  return rev === undefined ? inWorkingTree(worktree, path) : inCommit(worktree, path, rev);
}

async function inCommit({ git, repository }: Worktree, path: RawPath, rev: string): Promise<Unblamable | null> {
  const cwd = repository.root;
  const parsed = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`], { cwd });
  if (parsed.code !== 0) return 'no-such-commit';
  const commit = parsed.stdout.toString().trim();
  const entry = (await lookUp(git, cwd, commit, [path])).get(path);
  if (entry?.mode === '160000') return 'submodule';
  if (entry) return (await gitOutput(git, ['cat-file', 'blob', entry.oid], { cwd })).includes(0) ? 'binary' : null;
  const input = Buffer.concat([Buffer.from(`${commit}:`), pathBytes(path)]);
  const type = path.includes('\n') ? '' : (await gitOutput(git, ['cat-file', '--batch-check'], { cwd, input })).toString();
  return / tree \d+\n$/.test(type) ? 'directory' : 'missing';
}

async function inWorkingTree(worktree: Worktree, path: RawPath): Promise<Unblamable | null> {
  const { git, repository, state } = worktree;
  const { root } = repository;
  const { commit } = await readHead(git, repository);
  const entry = commit === null ? undefined : (await lookUp(git, root, commit, [path])).get(path);
  if (entry?.mode === '160000') return 'submodule';
  if (inInnerRepository(root, path)) return 'other-repository';
  const { kind } = lookAt(root, path);
  if (kind === 'absent') return 'missing';
  if (kind !== 'file' && kind !== 'symlink') return kind;
  const last = entry ? null : await readLast(state);
  const isLeftOut =
    last?.skipped.some((skipped) => skipped.path === path) || (!last?.files.has(path) && inLeftOutFolder(last?.skipped ?? [])(path));
  if (isLeftOut) return 'left-out';
  if (!entry && !(await isStaged(worktree, path)) && (await ignoredAmong(worktree, [path])).has(path)) return 'ignored';
  const bytes = await readWorkingFile(root, path, kind);
  return bytes === null ? 'unreadable' : bytes.includes(0) ? 'binary' : null;
}

async function isStaged({ git, repository }: Worktree, path: RawPath): Promise<boolean> {
  const shown = Buffer.from(path, 'latin1').toString();
  return (await git(['ls-files', '-z', '--', shown], { cwd: repository.root })).stdout.length > 0;
}
