export { type KeptInRepository, keptInRepositories, knownRepositories, removeEverything } from './everything.ts';
export { expiredRewindFiles } from './rewind-files.ts';
