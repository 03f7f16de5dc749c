export interface StoreStats {
  readonly schemaVersion: number;
  readonly events: number;
  readonly lateEvents: number;
  readonly sessions: number;
  readonly openSessions: number;
  readonly turns: number;
  readonly hookRuns: number;
  readonly hookFailures: number;
  readonly bodies: number;
  readonly transcripts: number;
  readonly transcriptEntries: number;
  readonly bytes: number;
  readonly oldestUs: number | null;
  readonly newestUs: number | null;
  readonly lastSeq: number;
  readonly unindexed: number;
}

export interface ExpireOptions {
  /** ms since 1970. */
  readonly now: number;
  readonly days: number;
  readonly maxBytes: number;
  /** Default: both. */
  readonly of?: readonly KeptPart[];
  /** Only these sessions, by their ids in the store. */
  readonly sessions?: readonly string[];
}
/** What expires: bodies of events, and texts of transcripts. */
export const KEPT_PARTS = ['events', 'transcripts'] as const;
export type KeptPart = (typeof KEPT_PARTS)[number];
export interface Expired {
  readonly events: number;
  /** Entries of transcripts. */
  readonly entries: number;
  /** The size of the store after that. */
  readonly bytes: number;
}
