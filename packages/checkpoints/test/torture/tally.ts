/** What random days have come to, for whoever sums them up: `scripts/torture.mjs` reads these lines. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: TallyKind, count = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  /** Written past the runner, which may keep what a test that passes has to say. */
  print(seed: number): void {
    const counts = [...this.#counts].map(([what, count]) => `${what} ${count}`);
    process.stdout.write(`torture: seed ${seed} counted: ${counts.join(', ')}\n`);
  }
}

/** `shared`: lines that nobody can tell apart. `named`: files that a rewind said beforehand it cannot give back. */
export type TallyKind = 'lines' | 'shared' | 'false you' | 'false agent' | 'files' | 'named' | 'lost' | 'refused';
