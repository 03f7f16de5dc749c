import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import { fields, type RawPath, shownPath } from '../raw-path.ts';
import { findRepository, type Repository } from '../repositories/repository.ts';
import type { Worktree } from '../worktree.ts';
import type { Skipped } from './skipped.ts';

/** Where they lie and how they are set, for as long as that is known of the repository around them. */
const knownOf = new WeakMap<Repository, Map<RawPath, Repository>>();
const DEEPEST = 5;

/**
 * Submodules with changes that none of their commits has. A checkpoint has the commit of a submodule, not its files: these are left out,
 * and named. It is looked into by a git of its own, in which none of its programs has a name either.
 */
export async function changedSubmodules(worktree: Worktree, paths: readonly RawPath[], depth = 0): Promise<Skipped[]> {
  const found: Skipped[] = [];
  for (const path of paths) {
    const inner = await repositoryAt(worktree, path);
    if (!inner) continue;
    const git = worktree.within(inner);
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=normal', '--no-renames', '--ignore-submodules=dirty'];
    const { code, stdout } = await git(args, { cwd: inner.root });
    if (code !== 0) found.push({ path, reason: 'unreadable', bytes: 0 });
    else if (stdout.length > 0) found.push({ path, reason: 'submodule-changes', bytes: 0 });
    if (depth >= DEEPEST || !existsSync(join(inner.root, '.gitmodules'))) continue;
    const staged = fields(await gitOutput(git, ['ls-files', '--stage', '-z'], { cwd: inner.root }));
    const deeper = staged.flatMap((line) => (line.startsWith('160000 ') ? [`${path}/${line.slice(line.indexOf('\t') + 1)}`] : []));
    found.push(...(await changedSubmodules(worktree, deeper, depth + 1)));
  }
  return found;
}

async function repositoryAt({ ask, repository }: Worktree, path: RawPath): Promise<Repository | null> {
  const directory = join(repository.root, shownPath(path));
  // One that was never checked out has none.
  if (!existsSync(join(directory, '.git'))) return null;
  const known = knownOf.get(repository) ?? new Map<RawPath, Repository>();
  knownOf.set(repository, known);
  const found = known.get(path) ?? (await findRepository({ ask }, directory));
  // A broken one has git look further up.
  if (!found || found.root !== directory) return null;
  known.set(path, found);
  return found;
}
