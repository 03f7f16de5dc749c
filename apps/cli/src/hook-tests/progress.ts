import type { Context } from '../context.ts';

const EVERY_MS = 100;

export interface Progress {
  step(done: number, all: number): void;
  /** Clears the line. */
  end(): void;
}

/** One line on stderr that is overwritten. Nothing if stderr is not a terminal. */
export function openProgress(context: Context, what: string): Progress {
  const shown = process.stderr.isTTY === true;
  let last = 0;
  return {
    step(done, all) {
      const now = Date.now();
      if (!shown || (now - last < EVERY_MS && done < all)) return;
      last = now;
      context.progress(
        `${what} ${done.toLocaleString('en')} of ${all.toLocaleString('en')} (${Math.floor((100 * done) / Math.max(1, all))} %)`,
      );
    },
    end() {
      if (last > 0) context.progress('');
      last = 0;
    },
  };
}
