/** A problem in the source of a hook, or something that its author should know. */
export interface LintFinding {
  /** A hook with an error is not added. */
  readonly severity: 'error' | 'warning';
  /** Stable, for scripts: `event`, `script.missing`. */
  readonly rule: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly what: string;
  readonly remedy?: string;
}
