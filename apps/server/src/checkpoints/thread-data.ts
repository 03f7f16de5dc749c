/** What the thread is started with. */
export interface ThreadData {
  readonly home: string;
  readonly config: string;
}

/** Ends the thread once all that it was asked before is done. */
export const CLOSE = 'close';
