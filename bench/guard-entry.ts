export { AGENTS } from '@piton/agents';
export { ownGuardOf } from '../apps/server/src/own-places.ts';
