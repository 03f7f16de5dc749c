import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { GitPort } from '@piton/git';
import { recoverAutoCommit } from '../auto-commit/publish.ts';
import { secretTest } from '../snapshot/skipped.ts';
import type { Worktree } from '../worktree.ts';
import { openWorktree } from './open-worktree.ts';
import { findRepository } from './repository.ts';

const HELD_MS = 60_000;

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

/** Tells a git directory from another that is made in its place; null where there is none. */
function birthOf({ repository }: Worktree): string | null {
  const stat = statSync(repository.gitDir, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.birthtimeMs}`;
}

/** The working tree of a directory, or null; what a crash left there is put in order first. Nothing is asked twice for one event. */
export function knownWorktrees({
  git,
  redactor,
  state,
}: {
  readonly git: GitPort;
  readonly redactor: LiveRedactor;
  readonly state: string;
}) {
  const worktrees = new Map<string, Promise<Found>>();
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
    return worktree;
  };
  const look = (directory: string): Promise<Worktree | null> => {
    const found = find(directory).then((worktree) => ({ worktree, birth: worktree && birthOf(worktree) }));
    worktrees.set(directory, found);
    // A repository may come to be, or change its settings.
    setTimeout(() => worktrees.delete(directory), HELD_MS).unref();
    return found.then(({ worktree }) => worktree);
  };
  return (directory: string): Promise<Worktree | null> => {
    redactor.refresh();
    const known = worktrees.get(directory);
    if (known === undefined) return look(directory);
    return known.then(({ worktree, birth }) => {
      // It may have been moved away meanwhile, or deleted, and another made in its place.
      if (worktree === null || !existsSync(worktree.repository.root)) return null;
      return birthOf(worktree) === birth ? worktree : look(directory);
    });
  };
}
