// What a machine and a team server send each other. Nothing of it is on an agent's path.

export * from './api.ts';
export * from './batch.ts';
export type * from './inventory.ts';
export type * from './records.ts';
