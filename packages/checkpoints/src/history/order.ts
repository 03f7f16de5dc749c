import type { Checkpoint } from '../checkpoint.ts';

/**
 * The oldest first, by what was seen: each names the one before it in its worktree. An id says when it was promised, which for a commit
 * is before the hooks of others have run, and older versions wrote no other time.
 */
export function inOrder(all: readonly Checkpoint[]): Checkpoint[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  const ranks = new Map<string, number>();
  const rankOf = (one: Checkpoint): number => {
    const waiting: Checkpoint[] = [];
    const met = new Set<string>();
    for (let at: Checkpoint | undefined = one; at && !ranks.has(at.id) && !met.has(at.id); at = byId.get(at.before ?? '')) {
      waiting.push(at);
      // Anybody may write a ref, also two that name each other.
      met.add(at.id);
    }
    for (const each of waiting.reverse()) ranks.set(each.id, Math.max(each.at.getTime(), (ranks.get(each.before ?? '') ?? 0) + 1));
    return ranks.get(one.id) ?? 0;
  };
  const ranked = all.map((one) => [rankOf(one), one] as const);
  return ranked.sort(([a, one], [b, other]) => a - b || (one.id < other.id ? -1 : 1)).map(([, one]) => one);
}
