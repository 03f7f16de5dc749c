const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** While this exists, a signal does not end the process: check `signal`, stop, and clean up. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** As in shells: 128 plus the number of the signal. */
  exitCode(): number | undefined;
  release(): void;
}

export function catchSignals(): Interruption {
  const controller = new AbortController();
  let code: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    code ??= 128 + NUMBERS[signal as (typeof SIGNALS)[number]];
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return {
    signal: controller.signal,
    exitCode: () => code,
    release() {
      for (const signal of SIGNALS) process.off(signal, end);
    },
  };
}

/** The user pressed Ctrl-C at a question. Not an answer: what would follow a "no" must not happen either. */
export class Interrupted extends Error {
  readonly code = 128 + NUMBERS.SIGINT;
}
