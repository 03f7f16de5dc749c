import type { PitonEventDetail, Push } from './piton-event-records.ts';
import type { RecordReport } from './port.ts';
import type { EventDetail } from './stored-events.ts';
import type { ObservationSummary, SessionDetail } from './stored-sessions.ts';
import type { StoredTranscript } from './transcripts.ts';

/** What can change. An event includes its runs and decision, a session its turns, and a transcript its entries. */
export type ChangeKind = 'event' | 'session' | 'observation' | 'piton-event' | 'push' | 'transcript';

/** Something is new or has changed. Its number is greater than that of every earlier change. */
export interface Change {
  readonly seq: number;
  readonly kind: ChangeKind;
  /** Unique within the kind. */
  readonly id: string;
}

/** The last number of a store, and which store: numbers of two stores are unrelated. */
export interface ChangePosition {
  readonly store: string;
  readonly seq: number;
}

/** The current value, which may be newer than the change. Then there is another change with a greater number. */
export type Changed =
  | { readonly kind: 'event'; readonly value: EventDetail }
  | { readonly kind: 'session'; readonly value: SessionDetail }
  | { readonly kind: 'observation'; readonly value: ObservationSummary & { readonly session: string } }
  | { readonly kind: 'piton-event'; readonly value: PitonEventDetail }
  | {
      readonly kind: 'push';
      readonly value: Push & { readonly oldSha: string; readonly newSha: string; readonly commits: readonly string[] };
    }
  | { readonly kind: 'transcript'; readonly value: StoredTranscript & { readonly session: string } };

/**
 * The change sequence. Whatever is inserted, superseded, added later, redacted again or dropped by age gets a new number, and keeps
 * only its latest. A reader that has seen everything up to N has missed nothing once there is nothing after N. For that, numbers must
 * become visible in order. A store with several concurrent writers must ensure it: see `migrations/006-changes.ts`.
 */
export interface ChangeStore {
  /** Changes with a greater number, in order. */
  changesSince(seq: number, limit: number): Promise<readonly Change[]>;
  lastChange(): Promise<ChangePosition>;
  /** The current value of what has changed. */
  loadChange(change: Change): Promise<Changed | undefined>;
  /** Resolves when there is a greater number, or when the signal aborts. Cheap while it waits. */
  waitForChange(seq: number, signal: AbortSignal): Promise<void>;
  /** The position of a reader that stores it here; 0 for a new reader. */
  readerPosition(name: string): Promise<number>;
  moveReader(name: string, seq: number): Promise<RecordReport>;
}
