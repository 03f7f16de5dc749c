import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { GitPort } from '@piton/git';
import { recoverAutoCommit } from '../auto-commit/publish.ts';
import { secretTest } from '../snapshot/skipped.ts';
import type { Waiting } from '../waiting/waiting-events.ts';
import type { Worktree } from '../worktree.ts';
import { birthOf } from './birth.ts';
import { openWorktree } from './open-worktree.ts';
import { findRepository } from './repository.ts';

const HELD_MS = 60_000;
const MOST_HELD = 200;

/** Takes secrets out of the names of checkpoints. */
export interface LiveRedactor {
  text(text: string): string;
  /** Does it hold a token of a known shape? Asked of untracked files. */
  holdsToken(text: string): boolean;
  /** Takes up what the user has changed in the settings since. Cheap if that is nothing. */
  refresh(): void;
}

interface Found {
  readonly worktree: Worktree | null;
  readonly birth: string | null;
}

export interface Place {
  /** A directory of the working tree. */
  readonly directory: string;
  /** Of its git directory, when whatever is done there was asked for. */
  readonly birth?: string | null;
}

/** The working tree of a place, or null. `mayBeOld`: also as it was when it was last looked up, however long ago. */
export type FindWorktree = (place: Place, how?: { readonly mayBeOld: boolean }) => Promise<Worktree | null>;

/** The working tree of a directory, or null; what a crash left there is put in order first. Nothing is asked twice for one event. */
export function knownWorktrees({
  git,
  redactor,
  state,
  waitingIn,
}: {
  readonly git: GitPort;
  readonly redactor: LiveRedactor;
  readonly state: string;
  readonly waitingIn: (directory: string, root: string) => Waiting;
}): FindWorktree {
  const worktrees = new Map<string, { readonly found: Promise<Found>; readonly atMs: number }>();
  const find = async (directory: string): Promise<Worktree | null> => {
    const repository = await findRepository(git, directory);
    if (repository === null) return null;
    const worktree = await openWorktree({
      git,
      repository,
      redact: (text) => redactor.text(text),
      looksSecret: secretTest((text) => redactor.holdsToken(text)),
      random: (bytes) => new Uint8Array(randomBytes(bytes)),
      stateDirectory: state,
    });
    await recoverAutoCommit(worktree);
    const birth = birthOf(repository.gitDir);
    return { ...worktree, waiting: waitingIn(directory, repository.root), isGone: () => birthOf(repository.gitDir) !== birth };
  };
  const look = (directory: string): Promise<Worktree | null> => {
    const found = find(directory).then((worktree) => ({ worktree, birth: worktree && birthOf(worktree.repository.gitDir) }));
    worktrees.delete(directory);
    worktrees.set(directory, { found, atMs: performance.now() });
    for (const oldest of worktrees.keys()) if (worktrees.size > MOST_HELD) worktrees.delete(oldest);
    return found.then(({ worktree }) => worktree);
  };
  const there = async (directory: string, mayBeOld: boolean): Promise<Worktree | null> => {
    redactor.refresh();
    const known = worktrees.get(directory);
    // It may change its settings.
    if (known === undefined || (!mayBeOld && performance.now() - known.atMs > HELD_MS)) return look(directory);
    return known.found.then(({ worktree, birth }) => {
      // It may have come to be, or been moved away meanwhile, or deleted, and another made in its place.
      if (worktree === null) return look(directory);
      if (!existsSync(worktree.repository.root)) return null;
      return birthOf(worktree.repository.gitDir) === birth ? worktree : look(directory);
    });
  };
  return async ({ directory, birth }, { mayBeOld = false } = { mayBeOld: false }) => {
    const worktree = await there(directory, mayBeOld);
    // What was asked for in one that is gone is not done in another.
    return worktree && birth !== undefined && birthOf(worktree.repository.gitDir) !== birth ? null : worktree;
  };
}
