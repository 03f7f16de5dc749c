export { createGit } from '@piton/git';
export { linkCommit, markMessage } from '../packages/checkpoints/src/links/link.ts';
export { findRepository } from '../packages/checkpoints/src/repositories/repository.ts';
export { stateDirectory } from '../packages/checkpoints/src/repositories/state-directory.ts';
export { take } from '../packages/checkpoints/src/snapshot/take.ts';
export { createWorktree } from '../packages/checkpoints/src/worktree.ts';
