/** The start data of the thread. */
export interface ThreadData {
  readonly home: string;
  readonly config: string;
}

/** The thread asks whether all that agents have sent is handed over, and is answered with the same number. */
export interface Receipt {
  readonly kind: 'receipt';
  readonly id: number;
}

/** Ends the thread once all earlier requests are done. */
export const CLOSE = 'close';
