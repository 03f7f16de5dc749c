export type * from './own-records.ts';
export type * from './port.ts';
export type * from './records.ts';
export * from './retention.ts';
export { foldSession } from './session-fold.ts';
export * from './session-machine.ts';
export type { Position } from './session-order.ts';
export { type OpenOptions, type OpenResult, openStore } from './sqlite/open.ts';
export type * from './transcripts.ts';
