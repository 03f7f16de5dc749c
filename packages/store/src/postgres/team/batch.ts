/** What a machine sends up, as the database keeps it. The server has checked its form; here it is stored. */

/** One change of a machine's store, under its number there. A later version of the same thing is another change with a greater number. */
export interface TeamChange {
  /** The change number in the machine's store. */
  readonly seq: number;
  readonly kind: 'event' | 'session' | 'observation' | 'piton-event' | 'push' | 'transcript';
  /** Unique within the kind on that machine. */
  readonly id: string;
  /** µs since 1970 by the machine's clock, which may be wrong. Null for what has no time. */
  readonly wallUs: number | null;
  /** The session's id on that machine. */
  readonly session: string | null;
  readonly repo: string | null;
  readonly agent: string | null;
  /** The canonical event, or the name of Piton's own. */
  readonly event: string | null;
  readonly decision: string | null;
  readonly tokens: TeamTokens | null;
  /** Everything else of it that is no text of a person or an agent: digests of hooks, names of tools, ids of commits. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Prompts and texts, as one JSON text. Kept only if the tenant and the person have agreed; otherwise it is dropped unread. */
  readonly body?: string | null;
}

export interface TeamTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Changes that a machine cannot send any more, because its retention took them first. */
export interface TeamGap {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

export interface TeamBatch {
  readonly machine: string;
  /** The identity of the machine's store: after it was replaced, numbers begin anew under another one. */
  readonly epoch: string;
  /** What the sender knows to be acknowledged. */
  readonly after: number;
  /** Everything in (after, upTo] that may leave is in `changes`. Greater than the last change if later ones may not leave. */
  readonly upTo: number;
  /** In the order of their numbers, all within (after, upTo]. */
  readonly changes: readonly TeamChange[];
  readonly gaps?: readonly TeamGap[];
  /** µs since 1970 by the machine's clock when it sent the batch. */
  readonly sentUs: number;
}

export type TeamProblem =
  | 'unavailable' // no connection, starting, shutting down: try again later
  | 'busy' // a lock or a time limit: try again later
  | 'no-partition' // nobody has run `piton team maintain` for too long
  | 'role' // the role may more than it has to, or less
  | 'not-migrated' // older or newer than this program
  | 'unknown-machine' // no such machine of this tenant, or it has left
  | 'out-of-order' // the batch begins after what is acknowledged: send on from `acknowledged`
  | 'invalid' // a value that cannot be stored
  | 'failed';

export interface TeamFailure {
  readonly ok: false;
  readonly problem: TeamProblem;
  readonly error: string;
  /** With `out-of-order`: what is. */
  readonly acknowledged?: number;
}

export type Ingested =
  | {
      readonly ok: true;
      /** Everything up to it is stored. Committed before this is answered. */
      readonly acknowledged: number;
      readonly stored: number;
      /** Were here already. */
      readonly replayed: number;
      /** Bodies that were dropped for want of consent. */
      readonly dropped: number;
    }
  | TeamFailure;
