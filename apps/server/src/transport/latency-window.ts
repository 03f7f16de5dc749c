const KEPT = 1000;

/** The time that the server itself took for each of the last thousand events, in microseconds. */
export class LatencyWindow {
  readonly #ring: number[] = [];
  #next = 0;

  add(us: number): void {
    this.#ring[this.#next] = us;
    this.#next = (this.#next + 1) % KEPT;
  }

  quantile(part: number): number | null {
    const sorted = [...this.#ring].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
  }
}
