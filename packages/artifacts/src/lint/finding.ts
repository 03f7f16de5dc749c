/** Something that is wrong with a hook as it is written, or that its writer should know. */
export interface LintFinding {
  /** An error keeps the hook from being taken in. */
  readonly severity: 'error' | 'warning';
  /** Stable, for scripts: `event`, `script.missing`. */
  readonly rule: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly what: string;
  readonly remedy?: string;
}
