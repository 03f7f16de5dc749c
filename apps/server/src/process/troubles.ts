import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';
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
/** A note says what happened, and that stays true when the server is gone; a problem may have gone with it. */
const NOTES_KEPT_MS = 7 * 24 * 3_600_000;
/** Of the log: it may be long, and a start must not be. */
const MOST_LINES = 1000;
const LOG_LIMIT = 5 * 1024 * 1024;

/** What went wrong and what to do about it: in memory for `status` and `doctor`, in a log for later. */
export class Troubles {
  readonly #file: string;
  #list: Trouble[] = [];

  /** What was logged may be older than the rules of today: it is redacted again. */
  constructor(logs: string, redact: (text: string) => Redacted<string>) {
    this.#file = join(logs, 'troubles.log');
    for (const { at, what, remedy } of notesIn(this.#file)) this.#keep({ at, what: redact(what), remedy: redact(remedy), kind: 'note' });
  }

  get list(): readonly Trouble[] {
    return this.#list;
  }

  /** The same trouble again moves to the front; it does not fill the list. */
  add(what: Redacted<string>, remedy: Redacted<string>, kind?: 'note'): void {
    const trouble: Trouble = { at: new Date().toISOString(), what, remedy, ...(kind && { kind }) };
    const known = this.#list.some((other) => other.what === what);
    this.#keep(trouble);
    if (!known) this.#log(trouble);
  }

  #keep(trouble: Trouble): void {
    this.#list = [trouble, ...this.#list.filter((other) => other.what !== trouble.what)].slice(0, KEPT);
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

interface Noted {
  readonly at: string;
  readonly what: string;
  readonly remedy: string;
}

/** Of the last days, oldest first. */
function notesIn(file: string): Noted[] {
  const since = Date.now() - NOTES_KEPT_MS;
  return linesOf(file).flatMap((line) => {
    const { at, what, remedy, kind } = fieldsOf(line);
    const told = kind === 'note' && typeof at === 'string' && typeof what === 'string' && typeof remedy === 'string';
    return told && Date.parse(at) > since ? [{ at, what, remedy }] : [];
  });
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-MOST_LINES);
  } catch {
    return []; // nothing was ever wrong, or the disk is
  }
}

function fieldsOf(line: string): Partial<Record<keyof Trouble, unknown>> {
  try {
    return (JSON.parse(line) as object | null) ?? {};
  } catch {
    return {};
  }
}
