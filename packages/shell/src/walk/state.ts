import type { Script } from '../read/syntax.ts';

/** Where a command would run. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly repo?: string | null;
}

/** One program that would be started, with what can be known of it. Words hold marks (`marks.ts`). */
export interface Call {
  /** Its name without a path; what cannot be known is in it as a mark. */
  readonly program: string;
  /** As it was written, where that is more than a name. */
  readonly path?: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Where it runs, absolute; begins with a mark where nobody can know. */
  readonly cwd: string;
  /** Files that a redirection would write. */
  readonly writes: readonly string[];
  /** The text on its standard input, as far as it is known. */
  readonly stdin?: string;
}

export interface State extends Surroundings {
  here: string;
  /** All that a name was ever given, each a list: which of them counts is for the run to know. */
  readonly variables: Map<string, string[][]>;
  readonly aliases: Map<string, string>;
  readonly functions: Map<string, Script>;
  positional: readonly string[];
  depth: number;
  /** How much more is looked at. Shared by all that is nested. */
  readonly budget: { left: number; lost: boolean };
  readonly calls: Call[];
  /** Programs that do nothing but start one of the calls, with their own words. */
  readonly wrappers: Pick<Call, 'program' | 'path' | 'args'>[];
}

const BUDGET = 60_000;

export const newState = (surroundings: Surroundings): State => ({
  ...surroundings,
  here: surroundings.cwd,
  variables: new Map(),
  aliases: new Map(),
  functions: new Map(),
  positional: [],
  depth: 0,
  budget: { left: BUDGET, lost: false },
  calls: [],
  wrappers: [],
});

/** Takes from the budget; false once there is none. */
export function spend(state: State, amount: number): boolean {
  state.budget.left -= amount;
  if (state.budget.left < 0) state.budget.lost = true;
  return !state.budget.lost;
}
