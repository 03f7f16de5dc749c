export { createGit } from '@piton/git';
export { blameFile } from '../packages/checkpoints/src/attribution/blame.ts';
export { attributeCommit } from '../packages/checkpoints/src/attribution/commit-attribution.ts';
export { linkCommit } from '../packages/checkpoints/src/links/link.ts';
export { findRepository } from '../packages/checkpoints/src/repositories/repository.ts';
export { take } from '../packages/checkpoints/src/snapshot/take.ts';
export { beginTurn, endTurn } from '../packages/checkpoints/src/turns/open-turns.ts';
export { createWorktree } from '../packages/checkpoints/src/worktree.ts';
