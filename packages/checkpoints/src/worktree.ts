import { dirname, join } from 'node:path';
import type { AskGit, Git, GitPort } from '@piton/git';
import type { Checkpoint } from './checkpoint.ts';
import { type Repository, worktreeKey } from './repositories/repository.ts';
import { LIMITS, type Limits, looksSecret } from './snapshot/skipped.ts';
import type { Waiting } from './waiting/waiting-events.ts';

/** Everything that taking and restoring checkpoints of one worktree needs from outside. */
export interface Worktree {
  /** Git in this repository, through a directory of ours. */
  readonly git: Git;
  /** Git in a repository inside of this one, in the same way. */
  readonly within: (repository: Repository) => Git;
  /** Git as the person has configured it, for questions alone. */
  readonly ask: AskGit;
  readonly repository: Repository;
  /** A directory of ours, for this worktree alone. */
  readonly state: string;
  readonly limits: Limits;
  /** Takes secrets out of a checkpoint's name. */
  readonly redact: (text: string) => string;
  /** Of untracked files: leave it out? */
  readonly looksSecret: (path: string, bytes: Buffer) => boolean;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Called with every checkpoint that is made here. */
  readonly made?: (checkpoint: Checkpoint) => void;
  /** Events that wait in line behind whoever looks. */
  readonly waiting?: Waiting;
  /** Has another been made in its place? */
  readonly isGone?: () => boolean;
}

/** Another lies where it was: nothing of this one may be written there. */
export class WorktreeGone extends Error {}

export interface WorktreeOptions
  extends Pick<Worktree, 'repository' | 'redact' | 'random'>,
    Partial<Pick<Worktree, 'limits' | 'looksSecret' | 'now'>> {
  readonly git: GitPort;
  /** For all repositories; each worktree gets a folder in it. */
  readonly stateDirectory: string;
}

export function createWorktree({ stateDirectory, git, ...given }: WorktreeOptions): Worktree {
  const { repository } = given;
  const state = join(stateDirectory, worktreeKey(repository));
  const within = (inner: Repository) => gitIn(git, inner, stateDirectory);
  return { limits: LIMITS, looksSecret, now: Date.now, ...given, git: within(repository), within, ask: git.ask, state };
}

/** Not in the state, which is moved or set aside as a whole. */
export const gitIn = (git: GitPort, repository: Repository, stateDirectory: string): Git =>
  git.within(repository, join(dirname(stateDirectory), 'git', worktreeKey(repository)));

export const observedBy = (worktree: Worktree, made: (checkpoint: Checkpoint) => void): Worktree => ({ ...worktree, made });
