import { closeSync, futimesSync, openSync } from 'node:fs';
import { join } from 'node:path';

const EVERY_MS = 50;

/** Updates a file's mtime while the event loop runs, so a forwarder can tell a busy server from a hung one. */
export interface Pulse {
  beat(): void;
  /** After the current work, so that no agent waits for it. */
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
      // the disk is gone: forwarders only wait for a shorter time
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
