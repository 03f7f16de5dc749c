import type { SessionChange, StoreTarget } from '@piton/store';
import type { Fired } from '../subscriptions/fired.ts';

/** Between the server's loop and the recorder's thread. */
export type ToRecorder =
  | { readonly kind: 'grown'; readonly segment: string; readonly size: number; readonly sealed: boolean }
  /** The journal of a server that is no more. */
  | { readonly kind: 'replay'; readonly directory: string }
  | { readonly kind: 'flush'; readonly id: number }
  /** The settings may have changed. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'close' };

export type FromRecorder =
  | { readonly kind: 'store'; readonly ok: true; readonly setAside: string | null }
  | { readonly kind: 'store'; readonly ok: false; readonly problem: string; readonly error: string }
  | { readonly kind: 'stored'; readonly events: number; readonly late: number }
  | { readonly kind: 'segment-done'; readonly segment: string }
  /** Everything that was announced is stored, and no frame waits for its verdict. */
  | { readonly kind: 'drained' }
  | { readonly kind: 'replayed'; readonly directory: string }
  /** A session began, went on, or ended, and that is stored. */
  | { readonly kind: 'session'; readonly change: SessionChange }
  /** A server that is no more had not finished telling this. */
  | { readonly kind: 'own-pending'; readonly fired: Fired }
  | { readonly kind: 'flushed'; readonly id: number; readonly stored: number }
  | { readonly kind: 'trouble'; readonly what: string; readonly remedy: string }
  /** `drained`: everything is in the store, and the journal may go. */
  | { readonly kind: 'closed'; readonly drained: boolean };

export interface RecorderData {
  readonly home: string;
  /** Where the user's settings lie. */
  readonly config: string;
  readonly store: StoreTarget;
  /** This server's own journal. */
  readonly journal: string;
  readonly environment: string;
  readonly quarantine: string;
}
