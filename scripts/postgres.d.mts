/** A throw-away PostgreSQL. */
export interface Postgres {
  readonly version: string;
  /** Of its superuser, for a database. */
  url(database?: string, user?: string): string;
  /** The postmaster, which is ours to kill. */
  readonly pid: number;
  /** Ends it as a power cut would: it recovers at the next start. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}
/** The directory of the programs of PostgreSQL 15 or later, or undefined. Installs nothing. */
export declare function postgresHere(): string | undefined;
/** The same, after it was unpacked or installed if it was missing. */
export declare function providePostgres(): string | undefined;
export declare function startPostgres(options?: { readonly settings?: Readonly<Record<string, string>> }): Promise<Postgres>;
