import type { DecisionName } from './decision.ts';
import type { EventName } from './events.ts';

/** One thing that a run of the real agent has shown, or could not bring about. */
export interface ProofRow {
  readonly event: EventName;
  readonly decision: DecisionName;
  readonly result: 'verified' | 'degraded' | 'deferred' | 'not provoked';
  /** How it is degraded, until when deferred, or why it could not be provoked. */
  readonly how?: string;
  /** The full name of the test that saw it. */
  readonly assertion: string;
}

/** A promise that does not hang on one event, kept in a run. */
export interface ProofPromise {
  readonly promise: string;
  readonly how?: string;
  readonly assertion: string;
}

/** How many processes one tool call starts. */
export interface ProcessCount {
  /** With every native event registered. */
  readonly all: number;
  /** As `piton init` registers them. */
  readonly ours: number;
}

/** All that the runs of one real agent have shown. */
export interface AgentProof {
  readonly agent: string;
  readonly version: string;
  readonly processes: ProcessCount | null;
  readonly promises: readonly ProofPromise[];
  readonly rows: readonly ProofRow[];
}
