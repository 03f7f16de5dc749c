import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Place } from '../place.ts';
import { worktreeKey } from '../repository.ts';

/** What we keep of each working tree of a repository: checkpoints are common to all, what waits for a commit is not. */
export type Kept = Pick<Place, 'state' | 'now'>;

export async function everyWorktree({ repository, state, now }: Place): Promise<Kept[]> {
  const linked = join(repository.commonDir, 'worktrees');
  const names = await readdir(linked).catch(() => []);
  const gitDirs = new Set([repository.gitDir, repository.commonDir, ...names.map((name) => join(linked, name))]);
  return [...gitDirs].map((gitDir) => ({ state: join(dirname(state), worktreeKey({ gitDir })), now }));
}
