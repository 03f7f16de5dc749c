import type { Decision, DecisionName, Envelope, EventName, Outcome, PitonEventName, Scope, TraceEntry } from '@piton/contracts';
import type { Redacted } from '@piton/redact';
import type { ChangeStore } from './changes.ts';
import type { LedgerQuery, LedgerRow } from './ledger.ts';
import type { PitonEventStore } from './piton-event-records.ts';
import type { EventRecord, ObservationRecord, RecordedTool, RewrittenBody, StoredBody } from './records.ts';
import type { Expired, ExpireOptions, StoreStats } from './retention.ts';
import type { CloseReason, Phase } from './sessions/machine.ts';
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

export interface EventHeader
  extends Omit<
    EventRecord,
    | 'envelope'
    | 'outcome'
    | 'ledger'
    | 'text'
    | 'monotonicUs'
    | 'wallUs'
    | 'tool'
    | 'prompt'
    | 'problems'
    | 'source'
    | 'agentId'
    | 'transcriptPath'
    | 'model'
    | 'branch'
  > {
  readonly seq: number;
  readonly session: string | null;
  readonly agent: string;
  readonly event: EventName;
  readonly providerRef: string;
  readonly projectPath: string;
  readonly receivedAt: string;
  readonly monotonicUs: number;
  readonly wallUs: number;
  readonly recordedUs: number;
  readonly tool: RecordedTool | null;
  readonly prompt: string | null;
  readonly problems: readonly string[];
  readonly source: string | null;
  readonly agentId: string | null;
  readonly transcriptPath: string | null;
  readonly model: string | null;
  readonly branch: string | null;
  readonly decision: DecisionName | null;
  readonly reason: string | null;
  /** The hooks that returned this decision; none if nothing was decided, or if a policy could not answer. */
  readonly decidedBy: readonly string[];
  /** Its bodies were dropped by age or size. */
  readonly expired: boolean;
}

export interface HookRun {
  readonly hook: string;
  readonly scope: Scope;
  readonly event: EventName;
  readonly did: 'ran' | 'skipped';
  readonly why: string | null;
  readonly exitCode: number | null;
  /** µs since its event; null for a run from before it was measured. */
  readonly startedUs: number | null;
  readonly durationMs: number | null;
  readonly timedOut: string | null;
  readonly failed: string | null;
  readonly note: string | null;
  readonly said: Decision['decision'] | null;
  readonly observed: boolean;
}
/** A run of a hook with its event, or of a subscription with an event that Piton emitted. */
export interface RecordedRun extends Omit<HookRun, 'event'> {
  readonly event: EventName | PitonEventName;
  readonly eventId: string;
  readonly seq: number;
  readonly agent: string | null;
  readonly wallUs: number;
  /** The directory of its event. */
  readonly projectPath: string;
}
export type HookFailure = RecordedRun;

/** Which hook: ids of a project's hooks are the same in every project, so its root belongs to it. */
export interface HookRef {
  readonly hook: string;
  /** Null for hooks of the user. */
  readonly root: string | null;
}
/** Statistics of a hook. */
export interface HookStats extends HookRef {
  readonly runs: number;
  readonly failures: number;
  readonly lastRunUs: number | null;
  readonly lastFailure: HookFailure | null;
  /** The 95th percentile of the duration of recent runs. */
  readonly p95Ms: number | null;
}

export interface EventDetail extends EventHeader {
  readonly text: string | null;
  readonly envelope: Envelope | null;
  readonly outcome: Outcome | null;
  readonly hookRuns: readonly HookRun[];
}

export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly providerRef: string;
  readonly phase: Phase;
  /** If a hook started the session: the depth, and the event of that hook. */
  readonly depth: number;
  readonly parentId: string | null;
  readonly projectPath: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly source: string | null;
  readonly transcriptPath: string | null;
  readonly startedUs: number;
  readonly lastUs: number;
  readonly endedUs: number | null;
  readonly endReason: string | null;
  readonly events: number;
  readonly turns: number;
  readonly tools: number;
  readonly denials: number;
  readonly compactions: number;
  readonly commits: number;
  /** The process of its last event: the liveness check looks whether it still runs. */
  readonly bootId: string;
  readonly pid: number;
  readonly ppid: number;
  readonly firstPrompt: string | null;
}
export interface TurnRecord {
  /** The event that opened it. */
  readonly id: string;
  readonly number: number;
  readonly prompt: string | null;
  readonly startedUs: number;
  readonly endedUs: number | null;
  readonly closed: CloseReason | null;
  readonly tools: number;
  readonly denials: number;
  readonly commits: number;
}
export interface ObservationSummary {
  readonly id: string;
  readonly kind: ObservationRecord['kind'];
  readonly wallUs: number;
  /** Null if it was deleted or has expired. */
  readonly body: unknown;
}
/** What was observed, with where it comes from. */
export interface ObservedHere extends ObservationSummary {
  readonly session: string;
  readonly agent: string;
  readonly expiresUs: number | null;
}
export interface ObservationQuery {
  readonly kinds?: readonly ObservationRecord['kind'][];
  /** The session's id in the store. */
  readonly session?: string;
  /** A repository or directory: of sessions at or below it. */
  readonly path?: string;
  readonly limit?: number;
}
export interface SessionDetail extends SessionSummary {
  readonly turnList: readonly TurnRecord[];
  readonly observations: readonly ObservationSummary[];
}

export type Lookup<T> =
  | { readonly found: 'one'; readonly value: T }
  | { readonly found: 'none' }
  | { readonly found: 'many'; readonly ids: readonly string[] };

export interface EventQuery {
  readonly limit?: number;
  /** Only events with a smaller `seq`; newest first. */
  readonly before?: number;
  /** Only events with a greater `seq`; oldest first. For following. */
  readonly afterSeq?: number;
  /** Only these, by their full ids; oldest first. */
  readonly ids?: readonly string[];
  /** The id of a session, the agent's id of it, or a unique prefix of either. */
  readonly session?: string;
  readonly agent?: string;
  /** Matches any of an event's names. */
  readonly event?: EventName;
  /** µs since 1970, by the forwarder's clock. */
  readonly since?: number;
  /** Words of the prompt, the command, a path or the agent's text, as `search` finds them. */
  readonly text?: string;
  readonly canary?: boolean;
  readonly derived?: boolean;
  /** Only events that were denied. */
  readonly denied?: true;
  /** Only in this repository. If nothing happened in one there: of sessions that began in this directory or below it. */
  readonly path?: string;
}
export interface SessionQuery {
  readonly limit?: number;
  readonly agent?: string;
  readonly since?: number;
  readonly phase?: Phase;
  /** A repository or directory: sessions at or below it. */
  readonly path?: string;
  /** Those that come after this one in the list. */
  readonly after?: Pick<SessionSummary, 'id' | 'lastUs'>;
  /** Only these, by their full ids. */
  readonly ids?: readonly string[];
  /** What started them: a session, or an event of a hook in which an agent ran. Null: nothing did. */
  readonly parent?: string | null;
  /** Only sessions in which something was denied. */
  readonly denied?: true;
}

/** A repository in which sessions worked. */
export interface SessionPlace {
  readonly root: string;
  readonly sessions: number;
  readonly lastUs: number;
}

/** How long hooks ran at one event, before its answer. */
export interface HookTime {
  readonly wallUs: number;
  readonly ms: number;
}

/** Where the words were found. `text` is what an agent reported: an error, a notification. */
export type SearchPlace = 'prompt' | 'command' | 'path' | 'answer' | 'text';

export interface SearchQuery extends Pick<EventQuery, 'session' | 'agent' | 'since' | 'limit'> {
  /** Not in this session, by its id in the store. */
  readonly exceptSession?: string;
  /** A repository or directory: at or below it. */
  readonly path?: string;
  readonly branch?: string;
  /** Only events whose tool named a path that contains this. */
  readonly file?: string;
  /** By time. Otherwise the best match first. */
  readonly newest?: boolean;
}

export interface SearchHit {
  /** Null for an answer that is only in a transcript. */
  readonly event: EventHeader | null;
  readonly place: SearchPlace;
  /** The surrounding text on one line, with `⟦` and `⟧` around what matches. */
  readonly excerpt: string;
  readonly session: string | null;
  readonly agent: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly projectPath: string;
  readonly wallUs: number;
}

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
  hookRuns(query: HookRef & { readonly since?: number }): Promise<readonly RecordedRun[]>;
  /** Every word must occur, or begin one that occurs. Ranked among the latest 5,000 that match. */
  search(text: string, query?: SearchQuery): Promise<readonly SearchHit[]>;
  /** Indexes up to `limit` events and entries of transcripts for search, and returns how many are left. */
  indexPending(limit: number): Promise<{ readonly indexed: number; readonly left: number }>;
  /** How many records search does not find yet. */
  unindexed(): Promise<number>;
  stats(): Promise<StoreStats>;
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
