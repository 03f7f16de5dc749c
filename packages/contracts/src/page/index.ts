// What the page and `piton ui` say to each other. Types only: nothing of it is in the page's bundle.

export type * from './common.ts';
export type * from './hooks.ts';
export type * from './live.ts';
export type * from './meta.ts';
export type * from './now.ts';
export type * from './overview.ts';
export type * from './repositories.ts';
export type * from './routes.ts';
export type * from './sessions.ts';
export type * from './timeline.ts';
