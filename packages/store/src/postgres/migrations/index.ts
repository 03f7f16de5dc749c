import { TEAM } from './001-team.ts';

export interface TeamMigration {
  /** Its number orders it. */
  readonly name: string;
  readonly sql: string;
}

/** In order, forward only. Never edit a released one: add another, which the program before it can live with. */
export const TEAM_MIGRATIONS: readonly TeamMigration[] = [TEAM];

export const LAST_MIGRATION = TEAM_MIGRATIONS.at(-1)?.name as string;
