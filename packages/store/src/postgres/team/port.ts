import type { Ingested, TeamBatch, TeamFailure } from './batch.ts';
import type { Identity, Machine, MachineReport, NewMachine, NewToken, Person, Role, TenantSettings, TokenSummary } from './people.ts';
import type {
  AuditEntry,
  AuditVerdict,
  PersonExport,
  TeamEventQuery,
  TeamHour,
  TeamPosition,
  TeamRecord,
  TeamSession,
  Viewer,
} from './queries.ts';

/** Where the team's PostgreSQL is: the URL of the application role, which owns nothing. */
export interface TeamTarget {
  readonly url: string;
  /** 32 bytes that wrap the keys of people. A dump without it reveals no body. */
  readonly secret: Uint8Array;
  readonly maxConnections?: number;
}

export interface TeamStatus {
  readonly ok: boolean;
  readonly problem: TeamFailure['problem'] | null;
  readonly error: string | null;
  /** The last migration that the database has, and the last that this program knows. */
  readonly schema: string | null;
  readonly expected: string;
  /** Days ahead for which there is a partition. */
  readonly partitionsAhead: number;
  /** Seconds by which reading stays behind writing: the age of the oldest open transaction. */
  readonly behindSeconds: number;
}

/** The record of all tenants. Methods throw `TeamStoreError` unless their result has room for a failure. */
export interface TeamStore {
  /** For readiness. Never throws. */
  status(): Promise<TeamStatus>;
  /** The first admin comes with the tenant. */
  createTenant(tenant: {
    readonly name: string;
    readonly admin: Omit<NewPerson, 'role'>;
  }): Promise<{ readonly tenant: string; readonly admin: string }>;
  /** Names its tenant itself. Undefined: unknown, expired, revoked, or of somebody who has left. */
  authenticate(token: string): Promise<Identity | undefined>;
  /** Uses up a one-time code. Undefined: unknown, used or expired. Two who use it at once: one gets it. */
  join(
    code: string,
    machine: NewMachine,
  ): Promise<{ readonly tenant: string; readonly machine: string; readonly person: string } | undefined>;
  /** A tenant's part. An id that is none has nothing, and accepts nothing. */
  tenant(id: string): TenantStore;
  /** Counts what is new into the roll-ups, of every tenant. For a sweep; returns how many changes were counted. */
  rollUp(limit: number): Promise<number>;
  /** Lets transactions finish, then closes. */
  close(): Promise<void>;
}

export interface NewPerson {
  readonly subject: string;
  readonly name: string;
  readonly email?: string | null;
  readonly role: Role;
}

/** Everything here happens as this tenant, in transactions that see no other. */
export interface TenantStore {
  readonly id: string;
  ingest(batch: TeamBatch): Promise<Ingested>;
  /** 0 for a new machine or epoch. */
  acknowledged(machine: string, epoch: string): Promise<number>;

  settings(): Promise<TenantSettings & { readonly name: string }>;
  changeSettings(settings: Partial<TenantSettings>): Promise<void>;

  /** By subject: adds or renames, never changes a role or brings back who has left. */
  putPerson(person: NewPerson): Promise<string>;
  person(id: string): Promise<Person | undefined>;
  personBySubject(subject: string): Promise<Person | undefined>;
  people(): Promise<readonly Person[]>;
  changeRole(person: string, role: Role): Promise<void>;
  /** Ends every token of theirs and of their machines. */
  personLeft(person: string): Promise<void>;
  changeConsent(person: string, consent: boolean): Promise<void>;

  /** A one-time code that names the tenant. */
  makeJoinCode(options: { readonly person: string; readonly seconds: number }): Promise<string>;
  machine(id: string): Promise<Machine | undefined>;
  machines(viewer: Viewer): Promise<readonly Machine[]>;
  report(machine: string, report: MachineReport): Promise<void>;
  machineLeft(machine: string): Promise<void>;

  /** The token's text, which is nowhere else. */
  issueToken(token: NewToken): Promise<{ readonly id: string; readonly token: string }>;
  revokeToken(id: string): Promise<void>;
  tokens(): Promise<readonly TokenSummary[]>;

  events(query: TeamEventQuery, viewer: Viewer): Promise<readonly TeamRecord[]>;
  sessions(
    query: Pick<TeamEventQuery, 'machine' | 'person' | 'repo' | 'agent' | 'since' | 'before' | 'limit'>,
    viewer: Viewer,
  ): Promise<readonly TeamSession[]>;
  /** Aggregates name nobody: every role sees them. */
  hours(query: {
    readonly since: Date;
    readonly until?: Date;
    readonly repo?: string;
    readonly agent?: string;
  }): Promise<readonly TeamHour[]>;
  /** Full text over headers: names, commands' kinds, reasons. Bodies are encrypted, and not searched. */
  search(words: string, query: TeamEventQuery, viewer: Viewer): Promise<readonly TeamRecord[]>;
  /** Every version of everything, complete under concurrent commits: ends below the oldest open transaction. */
  since(position: TeamPosition, limit: number): Promise<{ readonly records: readonly TeamRecord[]; readonly position: TeamPosition }>;
  /** Somebody looks at a body: the audit log has it before they do. Undefined: none, not theirs to see, or its key was deleted. */
  body(
    of: { readonly machine: string; readonly epoch: string; readonly seq: number },
    viewer: Viewer & { readonly actor: string; readonly reason: string },
  ): Promise<string | undefined>;

  audit(entry: {
    readonly actor: string;
    readonly action: string;
    readonly subject: string;
    readonly detail?: Readonly<Record<string, unknown>>;
  }): Promise<AuditEntry>;
  auditEntries(query: { readonly after?: number; readonly limit?: number }): Promise<readonly AuditEntry[]>;
  verifyAudit(): Promise<AuditVerdict>;

  exportPerson(person: string, after: TeamPosition, limit: number): Promise<PersonExport>;
  /** Deletes their key, so that their bodies are gone in every copy, and their name. Headers stay under a pseudonym. */
  deletePerson(person: string): Promise<void>;
}
