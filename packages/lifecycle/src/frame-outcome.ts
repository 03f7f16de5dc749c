import type { EventName, Outcome, TraceEntry } from '@piton/contracts';

/** The outcome of a frame, as the journal keeps it until both are in the store. */
export type FrameOutcome = {
  readonly stamp: string;
} & (
  | {
      readonly kind: 'decided';
      readonly outcome: Outcome;
      /** Time spent in the server, without hooks. */
      readonly serverUs: number;
      readonly depth: number;
      /** The event during whose hook this one happened. */
      readonly parent: string | null;
      readonly repo: string | null;
      readonly branch: string | null;
      readonly derived: readonly EventName[];
      /** The generated id of the tool call, if the agent sent none. */
      readonly useId?: string;
      /** The prompt is the reason of a refused stop, not text of a person. */
      readonly continuation?: true;
      /** The program that ran the hook, where nobody knows the agent. */
      readonly caller?: string;
      /** There was no server: a forwarder or the stand-in answered. */
      readonly standIn?: true;
    }
  | { readonly kind: 'canary' }
  /** A duplicate: the event of another registration is recorded instead. */
  | { readonly kind: 'twin'; readonly of: string }
  /** Nobody waited for an answer: recorded only. */
  | { readonly kind: 'late' }
);

/** Hooks that ran after the answer. */
export interface LaterRuns {
  readonly stamp: string;
  readonly trace: readonly TraceEntry[];
}
