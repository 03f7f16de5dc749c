import type { EventName, Outcome, TraceEntry } from '@piton/contracts';

/** What became of a frame, as the journal keeps it beside the frame until both are in the store. */
export type FrameOutcome = {
  readonly stamp: string;
} & (
  | {
      readonly kind: 'decided';
      readonly outcome: Outcome;
      /** The server's own time, hooks not counted. */
      readonly serverUs: number;
      readonly depth: number;
      /** The event during whose hook this one happened. */
      readonly parent: string | null;
      readonly repo: string | null;
      readonly branch: string | null;
      readonly derived: readonly EventName[];
      /** The id that the tool call got from us, since the agent gave it none. */
      readonly useId?: string;
      /** The prompt is the reason of a stop that we refused, not the person's. */
      readonly continuation?: true;
      /** No server was there: a forwarder or its stand-in answered, and we learnt of it later. */
      readonly standIn?: true;
    }
  | { readonly kind: 'canary' }
  /** Another registration fired for the same thing, and that one is recorded. */
  | { readonly kind: 'twin'; readonly of: string }
  /** Nobody waited for an answer any more: recorded only. */
  | { readonly kind: 'late' }
);

/** Hooks that ran after the answer. */
export interface LaterRuns {
  readonly stamp: string;
  readonly trace: readonly TraceEntry[];
}
