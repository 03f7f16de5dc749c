import type { TokenCounts } from '@piton/contracts';

/** A quarter of an hour: the days of every time zone begin with one. */
export const BUCKET_US = 900_000_000;

/** What happened in one quarter of an hour, of one agent in one repository. */
export interface EventSum {
  /** Its begin, µs since 1970. */
  readonly fromUs: number;
  readonly agent: string;
  /** Null outside any repository. */
  readonly repo: string | null;
  readonly turns: number;
  readonly tools: number;
  readonly denials: number;
  /** Of tools and of turns. */
  readonly failures: number;
  /** Writes of files. */
  readonly files: number;
}

/** Sessions that began in one quarter of an hour. */
export interface SessionSum {
  readonly fromUs: number;
  readonly agent: string;
  readonly repo: string | null;
  readonly sessions: number;
}

/** Tokens of requests of one session in one quarter of an hour, by model and by how much a request read. */
export interface UsageSum {
  readonly fromUs: number;
  readonly session: string;
  readonly agent: string;
  readonly repo: string | null;
  readonly format: string;
  readonly model: string | null;
  /** The least that each of the requests read, as far as `SIZE_LIMITS` tell it. */
  readonly size: number;
  readonly requests: number;
  readonly tokens: TokenCounts;
}

export interface SumsQuery {
  readonly sinceUs: number;
  /** Exactly this repository. */
  readonly repo?: string;
}
export interface Sums {
  readonly events: readonly EventSum[];
  readonly sessions: readonly SessionSum[];
  readonly usage: readonly UsageSum[];
  /** Older records that are not counted yet. */
  readonly counting: boolean;
}
