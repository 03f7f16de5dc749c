export * from './admin.ts';
export type { MachineLine } from './machine-list.ts';
export { type RunningTeam, type ServeOptions, serveTeam } from './serve.ts';
