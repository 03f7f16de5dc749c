import { setImmediate as nextReads } from 'node:timers/promises';
import { type Frame, monotonicUs } from '@piton/contracts';
import type { Link } from './connection.ts';

/** Before a forwarder gives up a server that says nothing. */
const STALE_US = 200_000n;
const MOST_HELD = 2000;

/** Frames of which it is not known yet whether their forwarders still wait, and those that are on no disk of ours. */
export class FramesInDoubt {
  readonly #held = new Set<string>();
  readonly #stale = new Set<Promise<void>>();

  /** Its forwarder keeps a file of it, since we hold it in memory only: it is no late one. */
  hold(stamp: string): void {
    this.#held.add(stamp);
    const [oldest] = this.#held;
    if (this.#held.size > MOST_HELD && oldest !== undefined) this.#held.delete(oldest);
  }

  isHeld(stamp: string): boolean {
    return this.#held.has(stamp);
  }

  /** At once, or if it has waited so long that its forwarder may be gone, when it is known whether it is: that is behind what it sent. */
  settle({ monotonicUs: sentUs }: Frame, link: Link, then: (late: boolean) => Promise<void> | undefined): void {
    if (monotonicUs() - sentUs < STALE_US) return void then(false);
    link.onSlow();
    const resolved = nextReads()
      .then(() => nextReads())
      .then(() => then(link.gone))
      .finally(() => this.#stale.delete(resolved));
    this.#stale.add(resolved);
  }

  /** Settles once what agents have sent so far is read, and it is known of each frame whether it was late. */
  async allReceived(): Promise<void> {
    // One round takes connections in, the next what they bring.
    for (let round = 0; round < 3; round++) await nextReads();
    await Promise.all(this.#stale);
  }
}
