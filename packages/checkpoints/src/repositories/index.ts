export { lastSeen } from './last-seen.ts';
export { readRepositories } from './listed.ts';
export { addRepository, removeRepository, watchRepositories } from './watched.ts';
