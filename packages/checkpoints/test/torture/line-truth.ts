import { expect } from 'vitest';
import type { Tally } from './tally.ts';

/** Who may be told to have written each line of a day. */
export class LineTruth {
  readonly #tally: Tally;
  readonly #writers = new Map<string, readonly string[]>();
  /** Lines of the person's that nobody has looked at. */
  readonly #fresh = new Set<string>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  set(line: string, writers: readonly string[]): void {
    this.#writers.set(line, writers);
  }

  /** Nobody knows when that was. */
  mayBeShared(session: string, lines: readonly string[]): void {
    for (const line of lines) this.set(line, [session, 'shared']);
  }

  wrote(line: string, writers: readonly string[]): void {
    this.set(line, writers);
    if (writers.includes('me')) this.#fresh.add(line);
  }

  looked(): void {
    this.#fresh.clear();
  }

  /** Nobody may look until a call has gone on: then nobody can tell it from what was done just before. */
  doubt(): void {
    for (const line of this.#fresh) this.set(line, ['me', 'shared']);
  }

  judge(writer: string | null, line: string): void {
    const truth = this.#writers.get(line);
    this.#tally.add('lines');
    if (writer === 'shared') this.#tally.add('shared');
    if (writer !== 'shared' && !truth?.includes(writer ?? '')) this.#tally.add(writer === 'me' ? 'false you' : 'false agent');
    expect(truth, `author of "${line}"`).toContain(writer);
  }
}
