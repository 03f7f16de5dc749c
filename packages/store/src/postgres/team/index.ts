export { TeamStoreError } from '../database/failure.ts';
export { type MigrateOptions, migrateTeamStore } from '../database/migrate.ts';
export { type MaintainOptions, maintainTeamStore } from '../database/partitions.ts';
export type * from './batch.ts';
export { openTeamStore } from './open.ts';
export type * from './people.ts';
export type * from './port.ts';
export type * from './queries.ts';
