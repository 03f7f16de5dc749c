import { type Checkpoint, subagentPaths } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { differences } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';

/**
 * Which files each of these changed, compared with the one before it in `all`; null where that one is not there. However many
 * they are, git is asked once.
 */
export async function changedFiles(
  { git, repository }: Worktree,
  some: readonly Checkpoint[],
  all: readonly Checkpoint[],
): Promise<(readonly RawPath[] | null)[]> {
  const trees = new Map(all.map(({ id, tree }) => [id, tree]));
  const pairs = some.map(({ before, tree }) => [trees.get(before ?? ''), tree] as const);
  const asked = pairs.flatMap(([from, to]) => (from === undefined ? [] : [[from, to] as const]));
  if (asked.length === 0) return pairs.map(() => null);
  const found = await differences(git, repository.root, asked);
  // A clone without its trees cannot tell, and a list is a list all the same.
  if (found === null) return pairs.map(() => null);
  const differing = pairs.map(([from]) => (from === undefined ? null : (found.shift() ?? []).map(({ path }) => path)));
  // In the tree of a subagent's checkpoint is also what others had done by then.
  return some.map((one, at) => subagentPaths(one)?.toSorted() ?? differing[at] ?? null);
}
