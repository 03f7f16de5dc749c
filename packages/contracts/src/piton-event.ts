import type { PitonEventName } from './events.ts';
import type { RunFailure, TraceEntry } from './outcome.ts';

/** What every event of Piton's own says. Null where there is none. */
interface PitonEventBase<Name extends PitonEventName> {
  readonly event: Name;
  /** A ULID. An event that is delivered again after a crash has the same. */
  readonly id: string;
  /** ISO-8601, UTC. */
  readonly time: string;
  readonly checkpoint_id: string | null;
  /** The commit of the user's, never the checkpoint's own. */
  readonly commit_sha: string | null;
  /** The agent's own id of the session. */
  readonly session_id: string | null;
  readonly agent: string | null;
  readonly branch: string | null;
  readonly repo: string | null;
}

interface AboutCheckpoint {
  readonly checkpoint_id: string;
  readonly kind: string;
  /** HEAD when the checkpoint was taken. */
  readonly base_sha: string | null;
  readonly name: string;
}

export type CheckpointCreated = PitonEventBase<'checkpoint-created'> & AboutCheckpoint;
export type CheckpointRestored = PitonEventBase<'checkpoint-restored'> & AboutCheckpoint & { readonly undo_id: string };
export type CommitLinked = PitonEventBase<'commit-linked'> & AboutCheckpoint & { readonly commit_sha: string };
export type SessionStarted = PitonEventBase<'session-started'> & { readonly source: string | null };
export type SessionEnded = PitonEventBase<'session-ended'> & { readonly reason: string | null };

export type HookFailed = PitonEventBase<'hook-failed'> & {
  readonly hook: string;
  /** The event on which it ran, of an agent's or of Piton's own; `event_id` is that one's. */
  readonly hook_event: string;
  readonly failed: RunFailure;
  readonly reason: string;
  readonly event_id: string;
};

export type DecisionDenied = PitonEventBase<'decision-denied'> & {
  /** `ask`: there was nobody to answer. */
  readonly decision: 'deny' | 'ask';
  readonly reason: string;
  readonly tool: string | null;
  readonly hook: string | null;
  readonly hook_event: string;
  readonly event_id: string;
};

/** An agent asked `piton mcp`. `session_id` and `agent` are those that asked. */
export type HistoryRead = PitonEventBase<'history-read'> & {
  readonly tool: string;
  /** What it asked for, as JSON, cut. */
  readonly input: string;
  /** How many records it got, and how long the answer was. */
  readonly results: number;
  readonly characters: number;
  /** Why it got none. */
  readonly failed: string | null;
};

/** What a subscription reads on stdin. */
export type PitonEvent =
  | CheckpointCreated
  | CheckpointRestored
  | SessionStarted
  | SessionEnded
  | CommitLinked
  | HookFailed
  | DecisionDenied
  | HistoryRead;

/** One line of what a subscription did: as in the trace of an agent's event. */
export type SubscriptionEntry = TraceEntry<PitonEventName>;
