import type { PitonEvent, PitonEventName, SubscriptionEntry } from '@piton/contracts';
import type { Redacted } from '@piton/redact';
import type { Lookup, RecordReport } from './port.ts';
import type { HookRun } from './stored-events.ts';

/** An event that Piton emits, as it is written. */
export interface PitonEventRecord {
  /** Identified by its id: the same id is the same event. */
  readonly event: Redacted<PitonEvent>;
  /** The repository, or else the directory where it happened. */
  readonly projectPath: string;
  readonly redaction: string;
}

export type SubscriptionRun = Omit<HookRun, 'event'> & { readonly event: PitonEventName };

export interface PitonEventDetail {
  readonly seq: number;
  readonly projectPath: string;
  readonly event: PitonEvent;
  /** The runs of its subscriptions. */
  readonly runs: readonly SubscriptionRun[];
}

export interface PitonEventQuery {
  readonly limit?: number;
  readonly event?: PitonEventName;
  readonly agent?: string;
  /** The agent's id of the session. */
  readonly session?: string;
  /** µs since 1970. */
  readonly since?: number;
}

/** What git's pre-push reported: which commits it was about to send where. */
export interface PushRecord {
  /** The stamp of git's call. Together with `ref` it identifies the push. */
  readonly id: string;
  readonly repo: string;
  readonly remote: Redacted<string>;
  /** It may contain a password. */
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

/** The part of the store for Piton's events and for pushes. */
export interface PitonEventStore {
  /** Records each event once: a replay of the journal adds nothing. */
  recordPitonEvents(batch: readonly PitonEventRecord[]): Promise<RecordReport>;
  /** Records the subscription runs of an event, also once. */
  addSubscriptionRuns(id: string, trace: Redacted<readonly SubscriptionEntry[]>): Promise<RecordReport>;
  /** Newest first. */
  pitonEvents(query: PitonEventQuery): Promise<readonly PitonEventDetail[]>;
  pitonEvent(ref: string): Promise<Lookup<PitonEventDetail>>;
  recordPush(push: PushRecord): Promise<RecordReport>;
  /** Where git was about to push a commit, oldest first. */
  pushesOf(commit: string): Promise<readonly Push[]>;
}
