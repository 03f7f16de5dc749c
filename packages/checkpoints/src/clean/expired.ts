import type { Checkpoint } from '../checkpoint.ts';
import { listCheckpoints } from '../history/listing.ts';
import { byPlace } from '../history/place.ts';
import { readPending } from '../links/pending.ts';
import { lastRewind } from '../rewind/undo-record.ts';
import { readLast } from '../snapshot/working-state.ts';
import { openTurns } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { type OldImages, oldImages } from './old-images.ts';
import { linkedToHistory } from './reachable.ts';
import { everyWorktree, type Kept } from './worktrees.ts';

export interface Expired {
  readonly checkpoints: readonly Checkpoint[];
  /** What was saved before single calls, long ago. */
  readonly images: readonly OldImages[];
  readonly kept: { readonly young: number; readonly needed: number };
}

/**
 * Which checkpoints may go: those that are old, and of sessions of whose work nothing is in a commit or waits for one. By the others
 * `blame` and `explain` tell whose the lines of a commit are: they stay, with the one before each, which is what they are compared with.
 */
export async function expiredCheckpoints(worktree: Worktree, before: Date): Promise<Expired> {
  const all = await listCheckpoints(worktree.git, worktree.repository);
  const young = all.filter(({ at }) => at >= before);
  const linked = await linkedToHistory(worktree, all);
  const worktrees = await everyWorktree(worktree);
  const sessions = new Set<string | null>((await Promise.all(worktrees.map(sessionsAtWork))).flat());
  for (const { id, session, workOf } of all)
    if (linked.has(id)) for (const each of [session, workOf]) if (each !== null) sessions.add(each);
  const needed = new Set<string>([...linked, ...(await Promise.all(worktrees.map(inUse))).flat(), ...young.map(({ id }) => id)]);
  for (const { id, session, workOf } of all)
    if ((session !== null && sessions.has(session)) || (workOf !== null && sessions.has(workOf))) needed.add(id);
  for (const { id } of lastOfEach(all)) needed.add(id);
  const previous = previousOf(all);
  for (const id of [...needed]) {
    const one = previous.get(id);
    if (one !== undefined) needed.add(one);
  }
  const checkpoints = all.filter(({ id }) => !needed.has(id));
  const images = await oldImages(worktree, before);
  return { checkpoints, images, kept: { young: young.length, needed: all.length - checkpoints.length - young.length } };
}

/** Whose work lies in the working tree and is in no commit yet, or goes on now. What went away long ago without a commit does not count. */
async function sessionsAtWork(worktree: Kept): Promise<string[]> {
  const { paths } = await readPending(worktree);
  const pending = [...paths.values()].flatMap(({ sessions }) => sessions);
  return [...pending, ...(await openTurns(worktree)).map(({ session }) => session)];
}

async function inUse(worktree: Kept): Promise<string[]> {
  const [last, undo] = [await readLast(worktree.state), await lastRewind(worktree)];
  return [last?.id, undo?.safety, undo?.after].filter((id): id is string => id !== undefined);
}

const lastOfEach = (all: readonly Checkpoint[]): Checkpoint[] => [...byPlace(all).values()].flatMap((chain) => chain.at(-1) ?? []);

/** The one before each, in the same working tree. */
function previousOf(all: readonly Checkpoint[]): ReadonlyMap<string, string> {
  const pairs = [...byPlace(all).values()].flatMap((chain) => chain.slice(1).map(({ id }, at) => [id, chain[at]?.id ?? ''] as const));
  return new Map(pairs);
}
