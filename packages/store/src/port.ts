import type { Decision, DecisionName, Envelope, EventName, Outcome, PitonEventName, Scope, TraceEntry } from '@piton/contracts';
import type { Redacted } from '@piton/redact';
import type { ChangeStore } from './changes.ts';
import type { OwnStore } from './own-records.ts';
import type { EventRecord, ObservationRecord, RecordedTool, RewrittenBody, StoredBody } from './records.ts';
import type { Expired, ExpireOptions, StoreStats } from './retention.ts';
import type { CloseReason, Phase } from './sessions/machine.ts';
import type { StoredTranscript, TranscriptHead, TranscriptReading } from './transcripts.ts';

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
  /** The agent's own id of it, where it is at work, and how it began or ended. */
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
      /** Records that cannot be written at all; the others of the batch were. */
      readonly rejected: readonly { readonly eventId: string; readonly error: string }[];
    }
  | StoreFailure;

export interface EventHeader
  extends Omit<
    EventRecord,
    | 'envelope'
    | 'outcome'
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
/** A run of a hook, and the event during which it was; or of a subscription: then the event is one of Piton's own. */
export interface RecordedRun extends Omit<HookRun, 'event'> {
  readonly event: EventName | PitonEventName;
  readonly eventId: string;
  readonly seq: number;
  readonly agent: string | null;
  readonly wallUs: number;
}
export type HookFailure = RecordedRun;

/** Which hook: ids of a project's hooks are the same in every project, so its root belongs to it. */
export interface HookRef {
  readonly hook: string;
  /** Null for the user's own. */
  readonly root: string | null;
}
/** How a hook has fared so far. */
export interface HookStats extends HookRef {
  readonly runs: number;
  readonly failures: number;
  readonly lastRunUs: number | null;
  readonly lastFailure: HookFailure | null;
  /** Of the latest runs, the duration that 95 in 100 did not exceed. */
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
  /** Of a session that a hook started: how deep, and in which event. */
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
  /** Where its last event came from: the liveness sweep asks whether that process lives. */
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
  readonly body: unknown;
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
  /** Only these, by their whole ids; oldest first. */
  readonly ids?: readonly string[];
  /** A session's id, or the agent's own id of it, or a unique beginning of either. */
  readonly session?: string;
  readonly agent?: string;
  /** Matches any of an event's names. */
  readonly event?: EventName;
  /** µs since 1970, by the forwarder's clock. */
  readonly since?: number;
  /** Stands in the prompt, the command, a path or the agent's text. Needs no index. */
  readonly text?: string;
  readonly canary?: boolean;
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
}

export interface SearchHit {
  readonly event: EventHeader;
  /** Where it was found, with `⟦` and `⟧` around what matched. */
  readonly snippet: string;
}

/** The one way to what Piton remembers. Asynchronous, so that a server elsewhere can stand behind it as well as a file. */
export interface Store extends OwnStore, ChangeStore {
  record(batch: readonly EventRecord[]): Promise<RecordReport>;
  /** Notes the hooks that ran after an event's answer. Once: a replay of the journal adds nothing. */
  addRuns(eventId: string, trace: Redacted<readonly TraceEntry[]>): Promise<RecordReport>;
  observe(observation: ObservationRecord): Promise<RecordReport>;
  events(query: EventQuery): Promise<readonly EventHeader[]>;
  /** By id or a unique beginning of it. */
  event(ref: string): Promise<Lookup<EventDetail>>;
  sessions(query: SessionQuery): Promise<readonly SessionSummary[]>;
  session(ref: string): Promise<Lookup<SessionDetail>>;
  hookFailures(query: { readonly since?: number; readonly limit?: number }): Promise<readonly HookFailure[]>;
  /** In the order of the question; `last` is how many runs of each count for its p95. */
  hookStats(query: { readonly hooks: readonly HookRef[]; readonly last?: number }): Promise<readonly HookStats[]>;
  /** Every run of one hook, the oldest first: those that decided, and those after the answer. */
  hookRuns(query: HookRef & { readonly since?: number }): Promise<readonly RecordedRun[]>;
  search(text: string, options?: { readonly limit?: number }): Promise<readonly SearchHit[]>;
  /** Makes up to `limit` recorded events searchable; says how many are left. */
  indexPending(limit: number): Promise<{ readonly indexed: number; readonly left: number }>;
  stats(): Promise<StoreStats>;
  /** What was found in a transcript since the last reading. */
  addTranscript(reading: TranscriptReading): Promise<RecordReport>;
  /** How far the transcripts of a session, by its id, have been read. */
  transcriptHeads(session: string): Promise<readonly TranscriptHead[]>;
  /** The transcripts of a session, by its id, in the order in which they came. */
  transcripts(session: string): Promise<readonly StoredTranscript[]>;
  /** Drops bodies that are too old, then the oldest until the store is small enough. Headers stay. */
  expire(options: ExpireOptions): Promise<Expired>;
  /** What that would drop; `bytes` are those of the texts. */
  expirable(options: Omit<ExpireOptions, 'maxBytes'>): Promise<Expired>;
  /** Makes the file as small as what is in it. Whoever writes meanwhile has to wait. */
  compact(): Promise<RecordReport>;
  /** All that agents and hooks said, in the order in which it came, to be looked over again. */
  bodies(query: { readonly of: StoredBody['of']; readonly afterSeq: number; readonly limit: number }): Promise<readonly StoredBody[]>;
  /** The one way to change what was recorded: texts only, and only by what passed through the redactor again. */
  rewriteBodies(batch: readonly RewrittenBody[]): Promise<RecordReport>;
  /** After a rewrite: what was overwritten is not left in the log, in free pages or in the index either. */
  scrub(): Promise<RecordReport>;
  close(): Promise<void>;
}
