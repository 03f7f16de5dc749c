import type { TeamChange, TeamTokens } from './batch.ts';
import type { Role } from './people.ts';

/** Who looks. A member sees own sessions, unless the tenant says otherwise. */
export interface Viewer {
  /** Null for a CI token. */
  readonly person: string | null;
  readonly role: Role;
}

/** A stored change, without its body. */
export interface TeamRecord extends Omit<TeamChange, 'body'> {
  readonly machine: string;
  readonly epoch: string;
  readonly person: string;
  /** The machine's time, or the time of receipt where the machine's cannot be. */
  readonly at: Date;
  readonly receivedAt: Date;
  /** Its texts are stored, and the key of the person was not deleted. */
  readonly hasBody: boolean;
}

/** Newest first. `before` continues a list. */
export interface TeamEventQuery {
  readonly kinds?: readonly TeamChange['kind'][];
  readonly machine?: string;
  readonly person?: string;
  readonly session?: string;
  readonly repo?: string;
  readonly agent?: string;
  readonly event?: string;
  readonly decision?: string;
  readonly since?: Date;
  readonly before?: { readonly at: Date; readonly machine: string; readonly epoch: string; readonly seq: number };
  readonly limit?: number;
}

export interface TeamSession {
  readonly machine: string;
  readonly id: string;
  readonly person: string;
  readonly agent: string | null;
  readonly repo: string | null;
  readonly at: Date;
  readonly header: Readonly<Record<string, unknown>>;
}

/** A roll-up of an hour. */
export interface TeamHour {
  readonly hour: Date;
  readonly agent: string;
  readonly repo: string;
  readonly events: number;
  readonly denials: number;
  readonly sessions: number;
  readonly machines: number;
  readonly tokens: TeamTokens;
}

/** Where a follower is: everything up to it has been read, whatever commits later. `''` is the beginning. */
export type TeamPosition = string;

export interface AuditEntry {
  readonly number: number;
  readonly at: Date;
  /** A pseudonym, or the name of a token. */
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** sha256 over the entry and the hash of the one before. */
  readonly hash: string;
}

export type AuditVerdict =
  | { readonly ok: true; readonly entries: number; readonly head: string }
  | { readonly ok: false; readonly number: number; readonly error: string };

export interface PersonExport {
  readonly person: Readonly<Record<string, unknown>>;
  readonly machines: readonly Readonly<Record<string, unknown>>[];
  readonly records: readonly (TeamRecord & { readonly body: string | null })[];
  /** Continues a long export; null at its end. */
  readonly next: TeamPosition | null;
}
