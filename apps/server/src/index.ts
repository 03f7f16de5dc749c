export * from './api.ts';
export { addRepository, followRepository, readRepositories, removeRepository } from './checkpoints/repositories.ts';
export { hookReading } from './hook-reading.ts';
export { installKey } from './install-key.ts';
export { AGENT_NAMES, LINT_WORLD } from './lint-world.ts';
export { ownGuardOf } from './own-places.ts';
export { type Occasion, type Rehearsal, type RehearsalPorts, type Rehearsed, rehearse } from './rehearsal.ts';
export type { Made } from './subscriptions/fired.ts';
export type { Relinked as RelinkedTold, Rewound as RewoundTold } from './subscriptions/telling.ts';
