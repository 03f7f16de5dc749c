import type { PitonEvent, PitonEventName, SubscriptionEntry } from '@piton/contracts';
import type { Redacted } from '@piton/redact';
import type { HookRun, Lookup, RecordReport } from './port.ts';

/** One of Piton's own events as it is written. */
export interface OwnEventRecord {
  /** Its id is what makes it one: the same id again is the same event. */
  readonly event: Redacted<PitonEvent>;
  /** The repository, or else the directory in which it happened. */
  readonly projectPath: string;
  readonly redaction: string;
}

export type OwnRun = Omit<HookRun, 'event'> & { readonly event: PitonEventName };

export interface OwnEventDetail {
  readonly seq: number;
  readonly projectPath: string;
  readonly event: PitonEvent;
  /** What subscriptions did with it. */
  readonly runs: readonly OwnRun[];
}

export interface OwnEventQuery {
  readonly limit?: number;
  readonly event?: PitonEventName;
  readonly agent?: string;
  /** The agent's own id of the session. */
  readonly session?: string;
  /** µs since 1970. */
  readonly since?: number;
}

/** What git said before it pushed: which commits it was about to send where. */
export interface PushRecord {
  /** The stamp of git's call; with `ref` it is what makes it one. */
  readonly id: string;
  readonly repo: string;
  readonly remote: Redacted<string>;
  /** It may hold a password. */
  readonly url: Redacted<string>;
  readonly ref: Redacted<string>;
  readonly oldSha: string;
  readonly newSha: string;
  readonly commits: readonly string[];
  readonly wallUs: number;
  readonly redaction: string;
}

export interface Push {
  readonly id: string;
  readonly repo: string;
  readonly remote: string;
  readonly url: string;
  readonly ref: string;
  readonly wallUs: number;
}

/** The part of the store that is about Piton itself. */
export interface OwnStore {
  /** Piton's own events. Once each: a replay of the journal adds nothing. */
  recordOwn(batch: readonly OwnEventRecord[]): Promise<RecordReport>;
  /** Notes what subscriptions did with one. Once, likewise. */
  addOwnRuns(id: string, trace: Redacted<readonly SubscriptionEntry[]>): Promise<RecordReport>;
  /** Newest first. */
  ownEvents(query: OwnEventQuery): Promise<readonly OwnEventDetail[]>;
  ownEvent(ref: string): Promise<Lookup<OwnEventDetail>>;
  recordPush(push: PushRecord): Promise<RecordReport>;
  /** Where git was about to send a commit, oldest first. */
  pushesOf(commit: string): Promise<readonly Push[]>;
}
