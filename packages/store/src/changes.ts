import type { OwnEventDetail, Push } from './own-records.ts';
import type { EventDetail, ObservationSummary, RecordReport, SessionDetail } from './port.ts';
import type { StoredTranscript } from './transcripts.ts';

/** What can change. The runs and the decision of an event belong to it, as the turns of a session do, and the entries of a transcript. */
export type ChangeKind = 'event' | 'session' | 'observation' | 'piton-event' | 'push' | 'transcript';

/** Something is new, or not what it was. Its number is greater than that of every change before. */
export interface Change {
  readonly seq: number;
  readonly kind: ChangeKind;
  /** With the kind it names one thing in this store. */
  readonly id: string;
}

/** How far a store has come, and which one it is: numbers of two stores have nothing to do with each other. */
export interface ChangePosition {
  readonly store: string;
  readonly seq: number;
}

/** The thing itself as it is now, which may be later than its change: then there is another change with a greater number. */
export type Changed =
  | { readonly kind: 'event'; readonly value: EventDetail }
  | { readonly kind: 'session'; readonly value: SessionDetail }
  | { readonly kind: 'observation'; readonly value: ObservationSummary & { readonly session: string } }
  | { readonly kind: 'piton-event'; readonly value: OwnEventDetail }
  | {
      readonly kind: 'push';
      readonly value: Push & { readonly oldSha: string; readonly newSha: string; readonly commits: readonly string[] };
    }
  | { readonly kind: 'transcript'; readonly value: StoredTranscript & { readonly session: string } };

/**
 * The change sequence. Whatever is inserted, superseded, added later, redacted again or dropped by age gets a new number, and keeps
 * only its latest: whoever has seen everything up to N has missed nothing once there is nothing after N. For that the numbers must
 * become visible in their order. A store with several writers at a time has to see to it: see `migrations/006-changes.ts`.
 */
export interface ChangeStore {
  /** Changes with a greater number, in order. */
  changesSince(seq: number, limit: number): Promise<readonly Change[]>;
  lastChange(): Promise<ChangePosition>;
  /** What has changed, as it is now. */
  loadChange(change: Change): Promise<Changed | undefined>;
  /** Resolves when there is a greater number, or when the signal says that nobody waits any more. Costs next to nothing meanwhile. */
  waitForChange(seq: number, signal: AbortSignal): Promise<void>;
  /** How far a reader that keeps its place here has come; 0 for one that is new. */
  readerPosition(name: string): Promise<number>;
  moveReader(name: string, seq: number): Promise<RecordReport>;
}
