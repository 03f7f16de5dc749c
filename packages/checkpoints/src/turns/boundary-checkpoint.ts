import type { Checkpoint } from '../checkpoint.ts';
import { findCheckpoint } from '../history/listing.ts';
import { type Taken, type TakeRequest, take } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';

/**
 * What a turn or a to-do ended with. Git does not wait for the checkpoint of a commit, so that one also has what was written
 * after the commit: this is compared with the last checkpoint of another kind, and comes out the same however late that was.
 */
export async function takeAtBoundary(worktree: Worktree, request: TakeRequest): Promise<Taken> {
  const taken = await take(worktree, request);
  if (taken.result !== 'unchanged') return taken;
  const last = await findCheckpoint(worktree.git, worktree.repository, taken.id);
  if (last && (await hasParts(worktree, last, request))) return take(worktree, { ...request, always: true });
  if (!last || !inTurn(last)) return taken;
  let earlier: Checkpoint | null = last;
  while (earlier && inTurn(earlier))
    earlier = earlier.before ? await findCheckpoint(worktree.git, worktree.repository, earlier.before) : null;
  const same = earlier && earlier.tree === last.tree && !earlier.verbatim && !last.verbatim;
  return same ? taken : take(worktree, { ...request, always: true });
}

/** Whether some of what the turn did has its checkpoint already, because a person or another session changed something after it. */
async function hasParts({ git, repository }: Worktree, last: Checkpoint, { session, turn }: TakeRequest): Promise<boolean> {
  let one: Checkpoint | null = last;
  while (one?.kind === 'part' || one?.kind === 'commit') {
    if (one.kind === 'part' && one.session === session && one.turn === turn) return true;
    one = one.before ? await findCheckpoint(git, repository, one.before) : null;
  }
  return false;
}

/** The checkpoint of a commit that was made while a turn was open. */
const inTurn = ({ kind, by }: Checkpoint): boolean => kind === 'commit' && by !== 'human';

/** The state that the first checkpoint of a turn began with, the commits of that turn left aside. */
export function stateBefore(all: readonly Checkpoint[], first: Checkpoint): Checkpoint | undefined {
  const before = ({ before: id }: Checkpoint) => all.find((one) => one.id === id);
  let found = before(first);
  while (found && inTurn(found) && found.turn === first.turn) found = before(found);
  return found;
}
