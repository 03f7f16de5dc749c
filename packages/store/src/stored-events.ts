import type { Decision, DecisionName, Envelope, EventName, Outcome, PitonEventName, Scope } from '@piton/contracts';
import type { EventRecord, RecordedTool } from './records.ts';

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
export interface HookRunQuery extends HookRef {
  readonly since?: number;
  /** Only so many of its latest runs, in whatever project, are looked at. */
  readonly latest?: number;
  readonly said?: DecisionName;
  readonly failed?: true;
  /** A part of them, newest first. */
  readonly page?: { readonly skip: number; readonly limit: number };
}
/** Statistics of a hook. */
export interface HookStats extends HookRef {
  readonly runs: number;
  readonly failures: number;
  readonly lastRunUs: number | null;
  readonly lastFailure: HookFailure | null;
  /** The median and the 95th percentile of the duration of recent runs. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface EventDetail extends EventHeader {
  readonly text: string | null;
  readonly envelope: Envelope | null;
  readonly outcome: Outcome | null;
  readonly hookRuns: readonly HookRun[];
}

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
/** How long hooks ran at one event, before its answer. */
export interface HookTime {
  readonly wallUs: number;
  readonly ms: number;
}
