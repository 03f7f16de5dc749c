import { autoCommit, type CheckpointSettings, findCheckpoint, type Place, type Skip, shownPath, type Taken } from '@piton/checkpoints';

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
  operation: ['a merge, rebase, cherry-pick, revert or bisect is open', 'bring it to its end; the turn is kept as a checkpoint'],
  detached: ['no branch is checked out', 'git switch to one; the turn is kept as a checkpoint'],
  unborn: ['the branch has no commit yet', 'make the first one yourself'],
  staged: ['something is staged, and is yours to commit', 'commit or unstage it; the turn is kept as a checkpoint'],
  shared: ['another session was at work in the same files', 'commit it yourself; the turn is kept as a checkpoint'],
  'no-before-image': ['what was there before the turn is not known', 'commit it yourself'],
  busy: ['another git holds the index', 'if none runs, delete .git/index.lock; the turn is kept as a checkpoint'],
};

/** Under the strategy `auto-commit`: what the turn changed becomes a commit on the branch. */
export async function commitTurn(place: Place, settings: CheckpointSettings, turn: EndedTurn, taken: Taken): Promise<TurnCommit> {
  if (settings.strategy !== 'auto-commit' || taken.result === 'failed') return NONE;
  const { git, repository } = place;
  const end = taken.result === 'made' ? taken.checkpoint : await findCheckpoint(git, repository, taken.id);
  if (!end || end.session !== turn.session || end.turn !== turn.turn) return NONE;
  const { identity, trailer } = settings;
  const unseen = { result: 'skipped', why: 'no-before-image' } as const;
  const done = turn.seen ? await autoCommit(place, { end, subject: turn.prompt, identity, trailer }) : unseen;
  if (done.result === 'skipped') {
    const [why, remedy] = WHY[done.why];
    return { commit: null, notes: [{ what: `no commit was made of a turn in ${repository.root}: ${why}`, remedy }] };
  }
  const files = done.left.map(shownPath).join(', ');
  const what = `left out of the commit of a turn in ${repository.root}, since they held changes of yours: ${files}`;
  return {
    commit: done.result === 'committed' ? done.commit : null,
    notes: files === '' ? [] : [{ what, remedy: 'commit them yourself' }],
  };
}
