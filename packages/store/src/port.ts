import type { DecisionName, TraceEntry } from '@piton/contracts';
import type { Redacted } from '@piton/redact';
import type { ChangeStore } from './changes.ts';
import type { LedgerQuery, LedgerRow } from './ledger.ts';
import type { PitonEventStore } from './piton-event-records.ts';
import type { EventRecord, ObservationRecord, RewrittenBody, StoredBody } from './records.ts';
import type { Expired, ExpireOptions, StoreStats } from './retention.ts';
import type { SearchHit, SearchQuery } from './search-query.ts';
import type {
  EventDetail,
  EventHeader,
  EventQuery,
  HookFailure,
  HookRef,
  HookRunQuery,
  HookStats,
  HookTime,
  RecordedRun,
} from './stored-events.ts';
import type { ObservationQuery, ObservedHere, SessionDetail, SessionPlace, SessionQuery, SessionSummary } from './stored-sessions.ts';
import type { Sums, SumsQuery, UsageSum } from './sums.ts';
import type { OutdatedTranscript, StoredTranscript, TranscriptHead, TranscriptReading, UsageRecord } from './transcripts.ts';

/** Why a store could not be opened or written. */
export type StoreProblem =
  | 'newer' // written by a newer Piton; left untouched
  | 'older' // opened to read only, and not yet migrated
  | 'missing'
  | 'network' // on a network file system, where WAL loses data
  | 'foreign' // belongs to another user
  | 'unwritable'
  | 'full'
  | 'busy'
  | 'corrupt'
  | 'no-engine'
  | 'closed'
  | 'failed';

export interface StoreFailure {
  readonly ok: false;
  readonly problem: StoreProblem;
  readonly error: string;
}

export type Recorded = 'inserted' | 'superseded' | 'replayed';
export interface RecordedEvent {
  readonly eventId: string;
  readonly did: Recorded;
  readonly seq: number;
  readonly session: string | null;
}
export interface SessionChange {
  readonly session: string;
  readonly agent: string;
  readonly change: 'started' | 'resumed' | 'ended';
  /** The agent's id of it, its directory, and how it began or ended. */
  readonly ref: string;
  readonly projectPath: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly source: string | null;
  readonly reason: string | null;
  readonly depth: number;
  readonly wallUs: number;
}
export type RecordReport =
  | {
      readonly ok: true;
      readonly events: readonly RecordedEvent[];
      readonly sessions: readonly SessionChange[];
      /** Records that cannot be written. The others of the batch were written. */
      readonly rejected: readonly { readonly eventId: string; readonly error: string }[];
    }
  | StoreFailure;

export type Lookup<T> =
  | { readonly found: 'one'; readonly value: T }
  | { readonly found: 'none' }
  | { readonly found: 'many'; readonly ids: readonly string[] };

/** The only access to what Piton has recorded. Asynchronous, so that it can be a remote server as well as a file. */
export interface Store extends PitonEventStore, ChangeStore {
  record(batch: readonly EventRecord[]): Promise<RecordReport>;
  /** Records the hooks that ran after an event's answer, once: a replay of the journal adds nothing. */
  addRuns(eventId: string, trace: Redacted<readonly TraceEntry[]>): Promise<RecordReport>;
  observe(observation: ObservationRecord): Promise<RecordReport>;
  /** What was observed and is neither deleted nor expired, newest first. */
  observations(query: ObservationQuery): Promise<readonly ObservedHere[]>;
  /** By its full id or a unique prefix. What was deleted or has expired is not there. */
  observation(ref: string): Promise<Lookup<ObservedHere>>;
  /** Removes its text for good. It will not be observed again. */
  deleteObservation(id: string): Promise<RecordReport>;
  /** What sessions have done, newest first. */
  ledger(query: LedgerQuery): Promise<readonly LedgerRow[]>;
  events(query: EventQuery): Promise<readonly EventHeader[]>;
  /** How many events match, at most `upTo`. */
  countEvents(query: Omit<EventQuery, 'limit'>, upTo: number): Promise<number>;
  /** For each of these ids the shortest prefix that no other one in the store has. Piton's own events count as events. */
  shortIds(kind: 'event' | 'session' | 'observation', ids: readonly string[]): Promise<readonly string[]>;
  /** By id or a unique prefix of it. */
  event(ref: string): Promise<Lookup<EventDetail>>;
  sessions(query: SessionQuery): Promise<readonly SessionSummary[]>;
  countSessions(query: Omit<SessionQuery, 'limit' | 'after'>): Promise<number>;
  session(ref: string): Promise<Lookup<SessionDetail>>;
  /** The latest first. */
  sessionPlaces(): Promise<readonly SessionPlace[]>;
  /** How many sessions each of these has started, by its id; those with none are left out. */
  countChildren(sessions: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Of a session, by its id, in the order of its events. */
  hookTimes(session: string): Promise<readonly HookTime[]>;
  hookFailures(query: { readonly since?: number; readonly limit?: number }): Promise<readonly HookFailure[]>;
  /** In the order of the argument; `last` is the number of runs that count for the p95. */
  hookStats(query: { readonly hooks: readonly HookRef[]; readonly last?: number }): Promise<readonly HookStats[]>;
  /** Every run of a hook, oldest first, before and after the answer. */
  hookRuns(query: HookRunQuery): Promise<readonly RecordedRun[]>;
  /** How often it returned what, by kind. */
  hookDecisions(query: HookRef & Pick<HookRunQuery, 'since' | 'latest'>): Promise<Readonly<Partial<Record<DecisionName, number>>>>;
  /** Every word must occur, or begin one that occurs. Ranked among the latest 5,000 that match. */
  search(text: string, query?: SearchQuery): Promise<readonly SearchHit[]>;
  /** Indexes up to `limit` events and entries of transcripts for search, and returns how many are left. */
  indexPending(limit: number): Promise<{ readonly indexed: number; readonly left: number }>;
  /** How many records search does not find yet. */
  unindexed(): Promise<number>;
  /** Counts whole tables, for tests and tools: what a person waits for asks for `sizes`. */
  stats(): Promise<StoreStats>;
  /** From indices alone, however much is stored. */
  sizes(): Promise<Pick<StoreStats, 'events' | 'sessions'>>;
  /** Adds what was found in a transcript since the last reading. */
  addTranscript(reading: TranscriptReading): Promise<RecordReport>;
  /** How far the transcripts of a session, by its id, have been read. */
  transcriptHeads(session: string): Promise<readonly TranscriptHead[]>;
  /** The tokens of these sessions, request by request. */
  usage(sessions: readonly string[]): Promise<readonly UsageRecord[]>;
  /** The same, added up by quarters of an hour, models and sizes. */
  usageSums(sessions: readonly string[]): Promise<readonly UsageSum[]>;
  /** What was counted since a time. */
  sums(query: SumsQuery): Promise<Sums>;
  /** Counts up to `limit` quarters of an hour and transcripts again in which something has changed, and returns how many are left. */
  refreshSums(limit: number): Promise<number>;
  /** What readers before this version have read. */
  outdatedTranscripts(reader: number): Promise<readonly OutdatedTranscript[]>;
  /** The transcripts of a session, by its id, in the order in which they were added. */
  transcripts(session: string): Promise<readonly StoredTranscript[]>;
  /** Drops bodies that are too old, then the oldest until the store is small enough. Headers stay. */
  expire(options: ExpireOptions): Promise<Expired>;
  /** What that would drop; `bytes` are those of the texts. */
  expirable(options: Omit<ExpireOptions, 'maxBytes'>): Promise<Expired>;
  /** Shrinks the file to its contents. Writers wait meanwhile. */
  compact(): Promise<RecordReport>;
  /** All texts of agents and hooks, in the order of recording, to be redacted again. */
  bodies(query: { readonly of: StoredBody['of']; readonly afterSeq: number; readonly limit: number }): Promise<readonly StoredBody[]>;
  /** The only way to change a record: texts only, and only to redacted ones. */
  rewriteBodies(batch: readonly RewrittenBody[]): Promise<RecordReport>;
  /** After a rewrite: removes the old texts from the log, free pages and the index too. */
  scrub(): Promise<RecordReport>;
  close(): Promise<void>;
}
