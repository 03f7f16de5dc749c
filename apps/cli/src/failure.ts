/** An error to show the user: what is wrong, where, and how to fix it. Only `main.ts` catches it. */
export class Failure extends Error {
  readonly where: string | undefined;
  readonly remedy: string | undefined;
  /** What it may be about instead, each on a line of its own. */
  readonly list: readonly string[];
  readonly code: 1 | 2;

  constructor(what: string, about: { where?: string; remedy?: string; list?: readonly string[]; usage?: boolean } = {}) {
    super(what);
    this.where = about.where;
    this.remedy = about.remedy;
    this.list = about.list ?? [];
    this.code = about.usage ? 2 : 1;
  }
}

/** The message of an error, without the stack. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
