import type { Overview } from '@piton/context';
import type { SessionChange, StoreTarget } from '@piton/store';
import type { ContextRequest } from '../context/context-hooks.ts';
import type { Fired } from '../subscriptions/fired.ts';
import type { TranscriptRequest } from '../transcripts/portable-files.ts';

/** Messages between the server's event loop and the recorder's thread. */
export type ToRecorder =
  | { readonly kind: 'grown'; readonly segment: string; readonly size: number; readonly sealed: boolean }
  /** The journal of a server that has ended. */
  | { readonly kind: 'replay'; readonly directory: string }
  | { readonly kind: 'flush'; readonly id: number }
  | ContextRequest
  /** A hook is about to read the session's transcript. */
  | { readonly kind: 'transcript'; readonly id: number; readonly request: TranscriptRequest }
  /** The settings may have changed. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'close' };

export type FromRecorder =
  | { readonly kind: 'store'; readonly ok: true; readonly movedTo: string | null }
  | { readonly kind: 'store'; readonly ok: false; readonly problem: string; readonly error: string }
  | { readonly kind: 'stored'; readonly events: number; readonly late: number }
  | { readonly kind: 'segment-done'; readonly segment: string }
  /** Everything that was announced is stored, and every frame has its outcome. */
  | { readonly kind: 'drained' }
  | { readonly kind: 'replayed'; readonly directory: string }
  /** A session started, resumed or ended, and that is stored. */
  | { readonly kind: 'session'; readonly change: SessionChange }
  /** A server that has ended had not finished delivering this. */
  | { readonly kind: 'undelivered'; readonly fired: Fired }
  /** What is known of a place: `id` if it was asked for. */
  | { readonly kind: 'overview'; readonly overview: Overview; readonly id?: number }
  | { readonly kind: 'handoff'; readonly id: number; readonly text: string | null }
  | { readonly kind: 'flushed'; readonly id: number; readonly stored: number }
  /** Where the transcript lies that was asked for; null if it could not be written. */
  | { readonly kind: 'transcript'; readonly id: number; readonly path: string | null }
  | { readonly kind: 'problem'; readonly what: string; readonly remedy: string }
  /** `drained`: everything is in the store, so the journal can be deleted. */
  | { readonly kind: 'closed'; readonly drained: boolean };

export interface RecorderData {
  readonly home: string;
  /** The directory of the user's settings. */
  readonly config: string;
  readonly store: StoreTarget;
  /** This server's journal. */
  readonly journal: string;
  readonly environment: string;
  readonly quarantine: string;
}
