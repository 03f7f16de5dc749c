// What runs in an agent's process tree without a server: kept apart from all that needs git.
export { type KeptResult, keepCall } from './keep-call.ts';
export { noWayBackText } from './kept-call.ts';
