import type { PageProblem } from '@piton/contracts/page';

/** What the thread of answers says to a request. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Of a file to save. */
  readonly name?: string;
}

/** A request that cannot be answered. Thrown by answers, and caught where they are run. */
export class Unanswerable extends Error {
  readonly status: number;
  readonly problem: PageProblem['problem'];
  readonly fix: string | null;

  constructor(status: number, problem: PageProblem['problem'], error: string, fix: string | null = null) {
    super(error);
    this.status = status;
    this.problem = problem;
    this.fix = fix;
  }
}

export const notFound = (what: string, fix: string | null = null): Unanswerable => new Unanswerable(404, 'not-found', what, fix);
export const badRequest = (what: string): Unanswerable => new Unanswerable(400, 'bad-request', what);

const JSON_TYPE = 'application/json; charset=utf-8';
export const jsonAnswer = (value: unknown, status = 200): Answer => ({ status, type: JSON_TYPE, body: JSON.stringify(value) });

export function problemAnswer(error: unknown): Answer {
  if (error instanceof Unanswerable) {
    const { status, problem, fix, message } = error;
    return jsonAnswer({ problem, error: message, fix } satisfies PageProblem, status);
  }
  const message = error instanceof Error ? error.message : String(error);
  const isBusy = /SQLITE_BUSY|database is locked/.test(message);
  return jsonAnswer(
    {
      problem: isBusy ? 'busy' : 'failed',
      error: message,
      fix: isBusy ? 'try again in a moment' : 'run piton doctor',
    } satisfies PageProblem,
    isBusy ? 503 : 500,
  );
}
