/** The start data of the thread. */
export interface ThreadData {
  readonly home: string;
  readonly config: string;
}

/** Ends the thread once all earlier requests are done. */
export const CLOSE = 'close';
