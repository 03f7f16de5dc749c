import type { Delivery } from './capability.ts';
import type { Decision, Reduced } from './decision.ts';
import type { EventName } from './events.ts';

export type Scope = 'user' | 'project' | 'local';

/** Why a hook that was considered did not run. */
export type SkipReason =
  | 'disabled'
  | 'no-match'
  | 'not-trusted'
  | 'not-executable'
  | 'broken'
  | 'truncated'
  | 'out-of-budget'
  | 'child-run'
  | 'agent-not-targeted'
  | 'late'
  /** The agent says the same end of a session again. */
  | 'repeated'
  | 'aborted';

/** How a run failed. `said nothing` is no failure. */
export type RunFailure = 'exit' | 'timeout' | 'spawn' | 'unreadable' | 'crash' | 'lost';

export type TraceEntry<Name extends string = EventName> = {
  readonly hook: string;
  readonly scope: Scope;
  readonly event: Name;
} & (
  | { readonly did: 'skipped'; readonly why: SkipReason; readonly note?: string }
  | {
      readonly did: 'ran';
      readonly exitCode: number;
      /** µs since the event's `wallUs` (`time` of Piton's own); older records have none. */
      readonly startedUs?: number;
      readonly durationMs: number;
      /** What cut it, if it was late: its own limit or the event's budget. */
      readonly timedOut?: 'hook' | 'budget';
      readonly failed?: RunFailure;
      readonly note?: string;
      readonly said: Decision;
      readonly stdout: string;
      readonly stderr: string;
      readonly truncated?: boolean;
      /** It ran after the answer and could not decide. */
      readonly observed?: boolean;
    }
);

/** The narrow thing for the wire, and the wide thing for the operator. */
export interface Outcome {
  readonly decision: Reduced;
  readonly trace: readonly TraceEntry[];
  readonly delivered: readonly Delivery[];
  /** Hooks that were considered, did not match, and are not listed in the trace: with very many hooks it would be all there is. */
  readonly unmatched?: number;
}
