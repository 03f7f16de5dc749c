import type { Redirection, Script } from '@piton/shell';
import type { Finding } from '../finding.ts';
import type { Grounds } from '../named-place.ts';
import type { Surroundings, Text } from './expansion.ts';
import { printedBy } from './input.ts';
import type { WrittenFiles } from './written-files.ts';

/** What all shells of one command line share. */
export interface Shared {
  readonly budget: Surroundings['budget'];
  readonly files: WrittenFiles;
  readonly functions: Map<string, Script>;
  readonly aliases: Map<string, string>;
}

/** One shell, on its way through a script. */
export interface ShellRun {
  readonly shared: Shared;
  readonly depth: number;
  readonly on: Surroundings;
  grounds: Grounds;
  /** Paths that the command before this one passes on through a pipe. */
  handed: readonly Text[];
  /** Everything that was printed before in this pipe: a shell at its end runs it. */
  said: readonly Text[];
  /** What groups around this are told to read: that is what is read in them. */
  inputs: readonly Redirection[];
  /** Variables that programs started from here get from this command line. */
  readonly exported: Set<string>;
  /** Inside `if`, `case` or a loop: what is assigned there may not have been. */
  isBranch: boolean;
}

type Start = Pick<ShellRun, 'grounds' | 'shared' | 'depth'> & {
  readonly cwd: string | null;
  readonly variables: Surroundings['variables'];
  readonly exported: Set<string>;
};

export function newRun({ grounds, shared, depth, cwd, variables, exported }: Start): ShellRun {
  const on: Surroundings = { cwd, variables, budget: shared.budget, printed: (script: Script) => printedBy(run, script) };
  const run: ShellRun = { grounds, shared, depth, on, handed: [], said: [], inputs: [], exported, isBranch: false };
  return run;
}

/** A script inside a script knows what this one knows; where it goes is its own affair. */
export function innerOf({ grounds, shared, depth, on, exported }: ShellRun): ShellRun {
  return newRun({ grounds, shared, depth: depth + 1, cwd: on.cwd, variables: new Map(on.variables), exported: new Set(exported) });
}

export function firstOf<T>(all: readonly T[], look: (each: T) => Finding | undefined): Finding | undefined {
  for (const each of all) {
    const found = look(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const plain = (text: string): Text => ({ text, glob: false });
