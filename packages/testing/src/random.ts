/** Random numbers with a seed, so that a failed run can be repeated. */
export interface SeededRandom {
  readonly seed: number;
  /** An integer from 0 up to, not including, `below`. */
  below(below: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** The seed comes from PITON_SEED or from the clock. The caller must print it. */
export function seededRandom(seed = Number(process.env.PITON_SEED ?? Date.now() % 1_000_000_000)): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { seed, below, pick: (choices) => choices[below(choices.length)] as (typeof choices)[number] };
}
