import type { PageEventRow, Waiting } from './now.ts';
import type { PageSession } from './sessions.ts';

/**
 * GET /api/live?after=<seq>&store=<store id>, a stream of `text/event-stream` read by fetch (with Authorization). Without `after` it
 * begins with what comes next. Each message has `id: <seq>`; after a cut go on with the last one. About every 15 s of silence
 * a comment line (`:`) says that the stream lives. Messages:
 *   event: changes  data: PageFrame   at most ten a second
 *   event: reset    data: PageReset   read everything anew, then go on with its `seq`: the position is not one of this store
 */
export interface PageFrame {
  /** Everything up to here has been sent. */
  readonly seq: number;
  /** Ordered by `seq`, each number once. A record that changes again comes again, with a greater number: replace it by its id. */
  readonly changes: readonly PageChange[];
  /** Who waits now; null if that has not changed since the last frame. */
  readonly waiting: readonly Waiting[] | null;
}
export type PageChange =
  | { readonly seq: number; readonly kind: 'event'; readonly id: string; readonly event: PageEventRow }
  | { readonly seq: number; readonly kind: 'session'; readonly id: string; readonly session: PageSession }
  /** Something else is new. `session` if it belongs to one: what is shown of it may be read again. */
  | {
      readonly seq: number;
      readonly kind: 'transcript' | 'observation' | 'piton-event' | 'push';
      readonly id: string;
      readonly session: string | null;
      /** Of a Piton event, such as `checkpoint-created`. */
      readonly name: string | null;
    }
  /** It was removed in the meantime. */
  | { readonly seq: number; readonly kind: 'gone'; readonly id: string };

export interface PageReset {
  readonly store: string;
  readonly seq: number;
}
