import type { Checkpoint } from '../checkpoint.ts';
import { resolveLink } from '../links/resolve.ts';
import type { Worktree } from '../worktree.ts';
import { filesIn, inAdvance } from './committed.ts';
import { type Context, createContext, labelsIn } from './labels.ts';
import { matchLines } from './line-match.ts';
import { linesOf } from './lines.ts';
import { keepResult, readResult, resultKey } from './result-cache.ts';

/** Older versions did not write down whose session the work was. */
const withAgent = ({ agents }: Context, one: Checkpoint): Checkpoint => ({
  ...one,
  workAgent: one.workAgent ?? agents.get(one.workOf ?? '') ?? null,
});

export interface Attribution {
  readonly commit: string;
  readonly checkpoints: readonly string[];
  /** Lines that the commit added, by who wrote them. */
  readonly agent: number;
  readonly human: number;
  readonly shared: number;
  readonly removed: number;
  /** Files without lines: counted as files. */
  readonly binary: number;
  readonly sessions: readonly string[];
  /** In whose intervals its lines came that are not only people's, the oldest first. */
  readonly written: readonly Checkpoint[];
}

/** How much of a commit is whose. */
export async function attributeCommit(worktree: Worktree, rev: string): Promise<Attribution | null> {
  const { git, repository } = worktree;
  const parsed = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`], { cwd: repository.root });
  if (parsed.code !== 0) return null;
  const commit = parsed.stdout.toString().trim();
  const key = await resultKey(worktree, ['commit', commit]);
  const kept = readResult<Attribution>(worktree, key);
  if (kept?.commit === commit && Array.isArray(kept.written)) return kept;
  const found = await attribute(await createContext(worktree), commit);
  await keepResult(worktree, key, found);
  return found;
}

async function attribute(context: Context, commit: string): Promise<Attribution> {
  const counts = { agent: 0, human: 0, shared: 0 };
  let [removed, binary] = [0, 0];
  const sessions = new Set<string>();
  const written = new Map<string, Checkpoint>();
  for await (const { path, ...oids } of inAdvance(context, await filesIn(context, commit))) {
    const [before = null, after = null] = await context.objects.read([oids.before, oids.after]);
    if (before?.includes(0) || after?.includes(0)) {
      binary++;
      continue;
    }
    const [then, now] = [before ? linesOf(before) : [], after ? linesOf(after) : []];
    const match = matchLines(then, now);
    removed += then.length - match.filter((line) => line >= 0).length;
    // As for what a merge has from its other side.
    if (match.every((line) => line >= 0)) continue;
    const labels = await labelsIn(context, commit, path);
    for (const [line, from] of match.entries()) {
      if (from >= 0) continue;
      const label = labels[line];
      counts[label?.by ?? 'human']++;
      if (label?.by === 'agent' && label.workOf) sessions.add(label.workOf);
      if (label && label.by !== 'human') written.set(label.id, label);
    }
  }
  const link = await resolveLink(context.worktree, commit, context.index);
  const oldestFirst = [...written.values()].sort((a, b) => context.rankOf(a) - context.rankOf(b));
  const known = { sessions: [...sessions].sort(), written: oldestFirst.map((one) => withAgent(context, one)) };
  return { commit, checkpoints: link?.ids ?? [], ...counts, removed, binary, ...known };
}
