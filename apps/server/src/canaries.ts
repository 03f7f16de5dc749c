import { randomBytes } from 'node:crypto';
import type { Frame } from '@piton/contracts';
import { viaOf } from '@piton/contracts';
import type { CanaryState } from '@piton/contracts/server-api';

const KEPT = 100;
const NOT_YET: CanaryState = { arrived: false, eventId: null, via: null, tookUs: null };

/** One-time tokens of `piton status`. Only a token that was issued counts: PITON_CANARY alone must not switch off a guard. */
export class Canaries {
  readonly #states = new Map<string, CanaryState>();

  issue(): string {
    const token = randomBytes(16).toString('hex');
    this.#states.set(token, NOT_YET);
    if (this.#states.size > KEPT) this.#states.delete(this.#states.keys().next().value as string);
    return token;
  }

  /** True if this frame carries a token that was issued and not used yet. */
  accept(frame: Frame, nowUs: bigint): boolean {
    if (frame.canary === '' || this.#states.get(frame.canary)?.arrived !== false) return false;
    this.#states.set(frame.canary, { arrived: true, eventId: frame.stamp, via: viaOf(frame), tookUs: Number(nowUs - frame.monotonicUs) });
    return true;
  }

  state(token: string): CanaryState {
    return this.#states.get(token) ?? NOT_YET;
  }
}
