import { GitError } from '@piton/git';
import type { Author, Checkpoint } from '../checkpoint.ts';
import { readImage } from '../images/image-state.ts';
import { lookBefore } from '../images/look.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import type { Held } from '../snapshot/observe.ts';
import { knownLast, type Looked, settledScan } from '../snapshot/take.ts';
import type { LastCheckpoint } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { baseFirst } from './base.ts';
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
  /** Look also where only a person can have done anything: calls may go on meanwhile. */
  readonly looking?: true;
}

/**
 * Before a checkpoint that tells of one author: what is there now has its owners, and what belongs to others becomes checkpoints of
 * their own. `session`: whose the checkpoint is, null for a person's.
 */
export async function settleUntilNow(worktree: Worktree, session: string | null, options: UntilNowOptions = {}): Promise<UntilNow> {
  const last = await knownLast(worktree);
  if (last === null && session !== null) return { parts: [], by: 'agent' };
  const image = readImage(worktree);
  const isOwned = last !== null && image?.after === last.id && image.owners.size > 0;
  if (session === null && !isOwned && !isAnyCallOpen(worktree)) {
    const looked = options.looking ? await lookedAt(worktree, last) : null;
    // Nobody but a person can have done anything, unless a call went on while we looked.
    if (!isAnyCallOpen(worktree)) return { parts: [], by: 'human', ...(looked && { looked }) };
  }
  if (last === null) return { parts: await baseFirst(worktree), by: 'shared' };
  const { parts, state } = await lookBefore(worktree, session ?? 'person', options);
  const found = ownersIn(readImage(worktree));
  const own = found.find(isOwn(session, 'agent')) ?? found.find(isOwn(session, 'shared'));
  const by = own?.by ?? (session === null ? 'human' : 'agent');
  const others = await takeParts(worktree, (owner) => !isOwn(session, by)(owner));
  return { parts: [...parts, ...others], by, looked: state };
}

/** Null where git fails: whoever takes the checkpoint tries again, and says so. */
const lookedAt = (worktree: Worktree, last: LastCheckpoint | null): Promise<Looked | null> =>
  settledScan(worktree, () => readHead(worktree.git, worktree.repository), last, { trusting: true }).catch((error: unknown) => {
    if (error instanceof GitError) return null;
    throw error;
  });

const isOwn =
  (session: string | null, by: Author) =>
  (owner: Owner): boolean =>
    session === null ? owner.by === PERSON.by : owner.by === by && owner.session === session;

/** Or may have been: a turn whose calls nobody follows is all one call. */
const isAnyCallOpen = (worktree: Worktree): boolean => turnsAtWork(worktree).some(({ calls }) => calls === undefined || calls.length > 0);
