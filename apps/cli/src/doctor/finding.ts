import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';

/** A finding of `doctor`. A note is worth knowing; a problem keeps something from working. */
export interface Finding {
  /** Stable, for scripts: `runtime.missing`. */
  readonly id: string;
  readonly kind: 'problem' | 'note';
  readonly what: string;
  readonly where?: string;
  readonly remedy: string;
  /** What `--fix` does. Returns what was done. Absent if only a person can decide. */
  readonly fix?: () => Promise<string> | string;
}

export interface CheckInput {
  readonly context: Context;
  readonly places: Places;
  /** The user's home. */
  readonly home: string;
}

export type Check = (patient: CheckInput) => Promise<readonly Finding[]> | readonly Finding[];

export const problem = (id: string, finding: Omit<Finding, 'id' | 'kind'>): Finding => ({ id, kind: 'problem', ...finding });
export const note = (id: string, finding: Omit<Finding, 'id' | 'kind'>): Finding => ({ id, kind: 'note', ...finding });
