export type * from './batch.ts';
export type * from './people.ts';
export type * from './port.ts';
export type * from './queries.ts';
