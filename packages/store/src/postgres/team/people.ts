/** Who is who in a team, and what proves it. */

export type Role = 'admin' | 'auditor' | 'member';

export interface TenantSettings {
  /** Bodies may be stored, if the person agrees too. */
  readonly bodies: boolean;
  /** Members see each other's sessions, not only their own and the aggregates. */
  readonly openSessions: boolean;
  /** Allows OIDC identities of these issuers to become members by themselves; none by default. */
  readonly issuers: readonly string[];
}

export interface Person {
  readonly id: string;
  /** `issuer subject` of OIDC. */
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  /** Agreed that bodies of theirs are stored. */
  readonly consent: boolean;
  /** Stands for the person in the audit log. */
  readonly pseudonym: string;
  readonly leftAt: Date | null;
}

/** What a token proves. Without one there is none. */
export type Identity =
  | { readonly kind: 'machine'; readonly tenant: string; readonly machine: string; readonly person: string }
  | { readonly kind: 'person'; readonly tenant: string; readonly person: string; readonly role: Role; readonly pseudonym: string }
  | { readonly kind: 'ci'; readonly tenant: string; readonly token: string; readonly role: Role; readonly name: string };

/** `machine` and `person` tokens are short; `ci` tokens are made by an admin. Only their hashes are stored. */
export type NewToken =
  | { readonly kind: 'machine'; readonly machine: string; readonly seconds: number }
  | { readonly kind: 'person'; readonly person: string; readonly seconds: number }
  | { readonly kind: 'ci'; readonly name: string; readonly role: Role; readonly seconds: number };

export interface TokenSummary {
  readonly id: string;
  readonly kind: NewToken['kind'];
  readonly name: string | null;
  readonly role: Role | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

export interface NewMachine {
  readonly name: string;
  /** An Ed25519 public key as SPKI in PEM. */
  readonly publicKey: string;
  readonly os: string;
  readonly pitonVersion: string;
}

/** What a machine says about itself from time to time. Replaces the earlier report; each is also kept as it was. */
export interface MachineReport {
  readonly pitonVersion: string;
  /** Agents and versions, registrations, hooks by digest, MCP servers by hash. */
  readonly inventory: Readonly<Record<string, unknown>>;
  /** The last canary that was heard through each registration. */
  readonly canary: Readonly<Record<string, unknown>>;
}

export interface Machine {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly publicKey: string;
  readonly os: string;
  readonly pitonVersion: string;
  readonly joinedAt: Date;
  readonly leftAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly lastEventAt: Date | null;
  /** Its clock minus the server's, in µs, at its last batch. */
  readonly clockOffUs: number;
  readonly inventory: MachineReport['inventory'] | null;
  readonly canary: MachineReport['canary'] | null;
  readonly reportedAt: Date | null;
  readonly gaps: number;
}
