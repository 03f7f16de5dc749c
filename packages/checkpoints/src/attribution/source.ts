import type { RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import type { Patches } from './hunks.ts';
import type { Objects } from './objects.ts';
import type { Chain, Steps } from './steps.ts';
import type { FileWalk } from './walk/file-walk.ts';

/** Whom to ask about the checkpoints, and what is known of them. */
export interface CheckpointSource {
  readonly worktree: Worktree;
  readonly objects: Objects;
  readonly steps: Steps;
  readonly patches: Patches;
  /** Lines are known by what they say without white space. */
  readonly ignoreSpace: boolean;
  /** A file through all checkpoints of a worktree. */
  readonly walk: (chain: Chain, path: RawPath) => FileWalk;
}
