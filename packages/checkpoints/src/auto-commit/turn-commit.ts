import { findCheckpoint } from '../history/listing.ts';
import { shownPath } from '../raw-path.ts';
import type { CheckpointSettings } from '../settings.ts';
import type { Taken } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';
import { autoCommit, type Skip } from './auto-commit.ts';

export interface TurnCommit {
  /** Nothing, or a new commit that is to be linked. */
  readonly commit: string | null;
  /** What the person should know. */
  readonly notes: readonly { readonly what: string; readonly remedy: string }[];
}

export interface EndedTurn {
  readonly session: string;
  readonly turn: string | null;
  readonly prompt: string;
  /** From its beginning on. Of another, nobody knows which files its tools named, and what a person did meanwhile. */
  readonly seen: boolean;
}

const NONE: TurnCommit = { commit: null, notes: [] };

const WHY: Readonly<Record<Skip, readonly [string, string]>> = {
  operation: ['a merge, rebase, cherry-pick, revert or bisect is in progress', 'finish it. The turn is saved as a checkpoint'],
  detached: ['no branch is checked out', 'switch to a branch. The turn is saved as a checkpoint'],
  unborn: ['the branch has no commits yet', 'create the first commit yourself'],
  staged: ['you have staged changes', 'commit or unstage them. The turn is saved as a checkpoint'],
  shared: ['another session changed the same files', 'commit it yourself. The turn is saved as a checkpoint'],
  'no-before-image': ['the state before the turn is unknown', 'commit it yourself'],
  busy: ['another git process holds the index', 'if none is running, delete .git/index.lock. The turn is saved as a checkpoint'],
};

/** Under the strategy `auto-commit`: what the turn changed becomes a commit on the branch. */
export async function commitTurn(worktree: Worktree, settings: CheckpointSettings, turn: EndedTurn, taken: Taken): Promise<TurnCommit> {
  if (settings.strategy !== 'auto-commit' || taken.result === 'failed') return NONE;
  const { git, repository } = worktree;
  const end = taken.result === 'made' ? taken.checkpoint : await findCheckpoint(git, repository, taken.id);
  if (!end || end.session !== turn.session || end.turn !== turn.turn) return NONE;
  const { identity, trailer } = settings;
  const unseen = { result: 'skipped', why: 'no-before-image' } as const;
  const done = turn.seen ? await autoCommit(worktree, { end, subject: turn.prompt, identity, trailer }) : unseen;
  if (done.result === 'skipped') {
    const [why, remedy] = WHY[done.why];
    return { commit: null, notes: [{ what: `a turn in ${repository.root} was not committed: ${why}`, remedy }] };
  }
  const files = done.left.map(shownPath).join(', ');
  const what = `not committed with a turn in ${repository.root}, because they contain your changes: ${files}`;
  return {
    commit: done.result === 'committed' ? done.commit : null,
    notes: files === '' ? [] : [{ what, remedy: 'commit them yourself' }],
  };
}
