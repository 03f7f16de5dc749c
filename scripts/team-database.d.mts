import type { Postgres } from './postgres.mjs';

/** The URLs of the owner and of the role that owns nothing. */
export declare function migratedTeam(postgres: Postgres): Promise<{ readonly owner: string; readonly app: string }>;
