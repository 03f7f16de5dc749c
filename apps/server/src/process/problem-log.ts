import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Redacted } from '@piton/redact';

export interface Problem {
  readonly at: string;
  readonly what: Redacted<string>;
  readonly remedy: Redacted<string>;
  /** Worth knowing, but nothing is broken. */
  readonly kind?: 'note';
}

const KEPT = 50;
/** A note stays true after the server has ended. A problem may have ended with it. */
const NOTES_KEPT_MS = 7 * 24 * 3_600_000;
/** Read at start: a long log must not make the start slow. */
const MOST_LINES = 1000;
const LOG_LIMIT = 5 * 1024 * 1024;

/** Problems and their fixes: in memory for `status` and `doctor`, and in a log file (`troubles.log`). */
export class ProblemLog {
  readonly #file: string;
  #list: Problem[] = [];

  /** Old lines were redacted by older rules, so they are redacted again. */
  constructor(logs: string, redact: (text: string) => Redacted<string>) {
    this.#file = join(logs, 'troubles.log');
    for (const { at, what, remedy } of notesIn(this.#file)) this.#keep({ at, what: redact(what), remedy: redact(remedy), kind: 'note' });
  }

  get list(): readonly Problem[] {
    return this.#list;
  }

  /** A problem that is already listed moves to the front. */
  add(what: Redacted<string>, remedy: Redacted<string>, kind?: 'note'): void {
    const problem: Problem = { at: new Date().toISOString(), what, remedy, ...(kind && { kind }) };
    const known = this.#list.some((other) => other.what === what);
    this.#keep(problem);
    if (!known) this.#log(problem);
  }

  #keep(problem: Problem): void {
    this.#list = [problem, ...this.#list.filter((other) => other.what !== problem.what)].slice(0, KEPT);
  }

  #log(problem: Problem): void {
    try {
      if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(this.#file, `${this.#file}.1`);
      appendFileSync(this.#file, `${JSON.stringify(problem)}\n`, { mode: 0o600 });
    } catch {
      // The disk may be the problem. The list in memory still has it.
    }
  }
}

interface Noted {
  readonly at: string;
  readonly what: string;
  readonly remedy: string;
}

/** Notes of the last days, oldest first. */
function notesIn(file: string): Noted[] {
  const since = Date.now() - NOTES_KEPT_MS;
  return linesOf(file).flatMap((line) => {
    const { at, what, remedy, kind } = fieldsOf(line);
    const isNote = kind === 'note' && typeof at === 'string' && typeof what === 'string' && typeof remedy === 'string';
    return isNote && Date.parse(at) > since ? [{ at, what, remedy }] : [];
  });
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-MOST_LINES);
  } catch {
    return []; // no log yet, or the disk failed
  }
}

function fieldsOf(line: string): Partial<Record<keyof Problem, unknown>> {
  try {
    return (JSON.parse(line) as object | null) ?? {};
  } catch {
    return {};
  }
}
