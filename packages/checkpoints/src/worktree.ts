import { join } from 'node:path';
import type { Git } from '@piton/git';
import type { Checkpoint } from './checkpoint.ts';
import { type Repository, worktreeKey } from './repositories/repository.ts';
import { LIMITS, type Limits, looksSecret } from './snapshot/skipped.ts';

/** Everything that taking and restoring checkpoints of one worktree needs from outside. */
export interface Worktree {
  readonly git: Git;
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
  /** Told of every checkpoint that is made here. */
  readonly made?: (checkpoint: Checkpoint) => void;
}

export interface WorktreeOptions
  extends Pick<Worktree, 'git' | 'repository' | 'redact' | 'random'>,
    Partial<Pick<Worktree, 'limits' | 'looksSecret' | 'now'>> {
  /** For all repositories; each worktree gets a folder in it. */
  readonly stateDirectory: string;
}

export function createWorktree({ stateDirectory, ...given }: WorktreeOptions): Worktree {
  const state = join(stateDirectory, worktreeKey(given.repository));
  return { limits: LIMITS, looksSecret, now: Date.now, ...given, state };
}

export const observedBy = (worktree: Worktree, made: (checkpoint: Checkpoint) => void): Worktree => ({ ...worktree, made });
