import type { Author, Checkpoint } from '../checkpoint.ts';
import { readImage } from '../images/image-state.ts';
import { lookBefore } from '../images/look.ts';
import type { RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import { knownLast, type Looked } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';
import { type Owner, PERSON } from './owners.ts';
import { ownersIn, takeParts } from './parts.ts';
import { turnsAtWork } from './turns-at-work.ts';

export interface UntilNow {
  /** Checkpoints of what others did. */
  readonly parts: readonly Checkpoint[];
  /** Whose the rest is. */
  readonly by: Author;
  readonly looked?: Looked;
}

export interface UntilNowOptions {
  readonly touched?: readonly string[] | undefined;
  readonly held?: ReadonlyMap<RawPath, Held>;
}

/**
 * Before a checkpoint that tells of one author: what is there now has its owners, and what belongs to others becomes checkpoints of
 * their own. `session`: whose the checkpoint is, null for a person's.
 */
export async function settleUntilNow(worktree: Worktree, session: string | null, options: UntilNowOptions = {}): Promise<UntilNow> {
  const last = await knownLast(worktree);
  if (last === null) return { parts: [], by: session === null ? 'human' : 'agent' };
  const image = readImage(worktree);
  const isOwned = image?.after === last.id && image.owners.size > 0;
  // Nobody but a person can have done anything.
  if (session === null && !isOwned && !isAnyCallOpen(worktree)) return { parts: [], by: 'human' };
  const { parts, state } = await lookBefore(worktree, session ?? 'person', options);
  const found = ownersIn(readImage(worktree));
  const own = found.find(isOwn(session, 'agent')) ?? found.find(isOwn(session, 'shared'));
  const by = own?.by ?? (session === null ? 'human' : 'agent');
  const others = await takeParts(worktree, (owner) => !isOwn(session, by)(owner));
  return { parts: [...parts, ...others], by, looked: state };
}

const isOwn =
  (session: string | null, by: Author) =>
  (owner: Owner): boolean =>
    session === null ? owner.by === PERSON.by : owner.by === by && owner.session === session;

/** Or may have been: a turn whose calls nobody follows is all one call. */
const isAnyCallOpen = (worktree: Worktree): boolean => turnsAtWork(worktree).some(({ calls }) => calls === undefined || calls.length > 0);
