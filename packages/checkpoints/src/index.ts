export type { About, Author, Checkpoint, CheckpointKind } from './checkpoint.ts';
export { createGit, type Git } from './git.ts';
export { findCheckpoint, listCheckpoints } from './listing.ts';
export { mergePacks, releasePacks } from './packs.ts';
export { createPlace, type Place } from './place.ts';
export { findRepository, openOperation, type Repository, readHead } from './repository.ts';
export { type Taken, type TakeRequest, take } from './take.ts';
