import { closeSync, futimesSync, openSync } from 'node:fs';
import { join } from 'node:path';

const EVERY_MS = 50;

/** Moves a file's time while the loop turns over work: a forwarder tells a busy server from a hung one by it. */
export interface Pulse {
  beat(): void;
  /** Once what is at hand is done: not while an agent waits for it. */
  soon(): void;
  close(): void;
}

export function openPulse(environment: string): Pulse {
  let fd: number;
  try {
    fd = openSync(join(environment, 'pulse'), 'w', 0o600);
  } catch {
    return { beat() {}, soon() {}, close() {} }; // A full disk costs the pulse, not the answer.
  }
  let last = 0;
  let due = false;
  const beat = (): void => {
    due = false;
    const now = Date.now();
    if (now - last < EVERY_MS) return;
    last = now;
    try {
      futimesSync(fd, now / 1000, now / 1000);
    } catch {
      // a disk that went away: forwarders wait less patiently, that is all
    }
  };
  return {
    beat,
    soon() {
      if (due) return;
      due = true;
      setImmediate(beat);
    },
    close: () => closeSync(fd),
  };
}
