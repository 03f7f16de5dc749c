import { closeSync, futimesSync, openSync } from 'node:fs';
import { join } from 'node:path';

const EVERY_MS = 50;

/** Moves a file's time while the loop turns over work: a forwarder tells a busy server from a hung one by it. */
export function openPulse(environment: string): { beat(): void; close(): void } {
  let fd: number;
  try {
    fd = openSync(join(environment, 'pulse'), 'w', 0o600);
  } catch {
    return { beat() {}, close() {} }; // A full disk costs the pulse, not the answer.
  }
  let last = 0;
  return {
    beat() {
      const now = Date.now();
      if (now - last < EVERY_MS) return;
      last = now;
      try {
        futimesSync(fd, now / 1000, now / 1000);
      } catch {
        // a disk that went away: forwarders wait less patiently, that is all
      }
    },
    close: () => closeSync(fd),
  };
}
