import type { Checkpoint } from '../checkpoint.ts';
import { readHead } from '../repositories/repository.ts';
import { knownLast, record } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';

/**
 * The first checkpoint of a working tree has no author: whatever is in it was there before. Where that is not so, because a call went on
 * before anybody looked, the last commit goes first.
 */
export async function baseFirst(worktree: Worktree): Promise<Checkpoint[]> {
  if ((await knownLast(worktree)) !== null) return [];
  const at = await readHead(worktree.git, worktree.repository);
  const state = { head: at.commit, files: new Map(), converted: new Map(), skipped: [], at };
  const request = { kind: 'part', by: 'human', session: null, agent: null, turn: null, name: 'The last commit' } as const;
  return [await record(worktree, request, { last: null, state, changes: [], trusting: true })];
}
