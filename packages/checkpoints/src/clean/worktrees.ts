import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { worktreeKey } from '../repositories/repository.ts';
import type { Worktree } from '../worktree.ts';

/** What we keep of each working tree of a repository: checkpoints are common to all, what waits for a commit is not. */
export type Kept = Pick<Worktree, 'state' | 'now'>;

export async function everyWorktree({ repository, state, now }: Worktree): Promise<Kept[]> {
  const linked = join(repository.commonDir, 'worktrees');
  const names = await readdir(linked).catch(() => []);
  const gitDirs = new Set([repository.gitDir, repository.commonDir, ...names.map((name) => join(linked, name))]);
  return [...gitDirs].map((gitDir) => ({ state: join(dirname(state), worktreeKey({ gitDir })), now }));
}
