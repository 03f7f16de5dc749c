import type { Worktree } from '../worktree.ts';
import type { Objects } from './objects.ts';
import type { Steps } from './steps.ts';

/** Whom to ask about the checkpoints, and what is known of them. */
export interface CheckpointSource {
  readonly worktree: Worktree;
  readonly objects: Objects;
  readonly steps: Steps;
}
