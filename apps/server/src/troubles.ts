import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Redacted } from '@piton/redact';

export interface Trouble {
  readonly at: string;
  readonly what: Redacted<string>;
  readonly remedy: Redacted<string>;
  /** Worth knowing, and nothing that keeps something from working. */
  readonly kind?: 'note';
}

const KEPT = 50;
const LOG_LIMIT = 5 * 1024 * 1024;

/** What went wrong and what to do about it: in memory for `status` and `doctor`, in a log for later. */
export class Troubles {
  readonly #file: string;
  #list: Trouble[] = [];

  constructor(logs: string) {
    this.#file = join(logs, 'troubles.log');
  }

  get list(): readonly Trouble[] {
    return this.#list;
  }

  /** The same trouble again moves to the front; it does not fill the list. */
  add(what: Redacted<string>, remedy: Redacted<string>, kind?: 'note'): void {
    const trouble: Trouble = { at: new Date().toISOString(), what, remedy, ...(kind && { kind }) };
    const known = this.#list.some((other) => other.what === what);
    this.#list = [trouble, ...this.#list.filter((other) => other.what !== what)].slice(0, KEPT);
    if (!known) this.#log(trouble);
  }

  #log(trouble: Trouble): void {
    try {
      if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(this.#file, `${this.#file}.1`);
      appendFileSync(this.#file, `${JSON.stringify(trouble)}\n`, { mode: 0o600 });
    } catch {
      // The disk may be what is wrong. The list in memory still says so.
    }
  }
}
