import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';

/** One thing that `doctor` has to say. A note is worth knowing; a problem keeps something from working. */
export interface Finding {
  /** Stable, for scripts: `runtime.missing`. */
  readonly id: string;
  readonly kind: 'problem' | 'note';
  readonly what: string;
  readonly where?: string;
  readonly remedy: string;
  /** What `--fix` does; it gives back what it did. Absent where only a person can decide. */
  readonly fix?: () => Promise<string> | string;
}

export interface CheckInput {
  readonly context: Context;
  readonly places: Places;
  /** The person's home. */
  readonly home: string;
}

export type Check = (patient: CheckInput) => Promise<readonly Finding[]> | readonly Finding[];

export const problem = (id: string, finding: Omit<Finding, 'id' | 'kind'>): Finding => ({ id, kind: 'problem', ...finding });
export const note = (id: string, finding: Omit<Finding, 'id' | 'kind'>): Finding => ({ id, kind: 'note', ...finding });
