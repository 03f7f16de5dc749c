import { type Checkpoint, subagentPaths } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { compareLines, type Hunk, spliced } from './hunks.ts';
import type { Chain } from './steps.ts';

/** Who wrote a line: the checkpoint in whose interval it came, or null for what was there before the first. */
export type Label = Checkpoint | null;

export interface Labelled {
  readonly lines: readonly string[];
  readonly labels: readonly Label[];
}

export const EMPTY: Labelled = { lines: [], labels: [] };

/** Whether a line says enough to be known by. */
export const isDistinctive = (line: string): boolean => line.trim().length >= 6;

/** What is known of a file at some checkpoint: how it was then, versions before that, and lines that may come back. */
export interface History {
  readonly last: Labelled;
  /** Every name that it had. */
  readonly names: ReadonlySet<RawPath>;
  /** A version that it had before. */
  readonly version: (oid: string) => Labelled | undefined;
  /** Who wrote a line first; null if that was nobody we know of, undefined if several, or if it was never there. */
  readonly firstAuthor: (line: string) => Label | undefined;
  readonly hasLine: (line: string) => boolean;
}

/** The same text again, after a rewind or a checkout, has the authors that it had. `hunks`: since the last version. */
export function nextVersion(history: History, oid: string | null, hunks: readonly Hunk[], label: Label): Labelled {
  const known = oid === null ? undefined : history.version(oid);
  if (known) return known;
  const { lines, labels } = history.last;
  return {
    lines: spliced(lines, hunks, ({ added }) => added),
    labels: spliced(labels, hunks, ({ added }) => added.map((line) => authorOf(history, line, label))),
  };
}

/** A line that a person brings back, out of a stash or another branch, is still whose it was. */
function authorOf(history: History, line: string, label: Label): Label {
  if (label?.by === 'agent' || !isDistinctive(line)) return label;
  const before = history.firstAuthor(line);
  return before === undefined ? label : before;
}

/** Who wrote each line of what somebody made of it in the end; `label`: who that was. */
export function labelsFor(history: History, lines: readonly string[], oid: string | null = null, label: Label = null): readonly Label[] {
  const known = oid === null ? undefined : history.version(oid);
  return known ? known.labels : nextVersion(history, null, compareLines(history.last.lines, lines), label).labels;
}

/** What was moved has the history of what it was. */
export const joined = (own: History, earlier: History): History => ({
  last: earlier.last,
  names: new Set([...own.names, ...earlier.names]),
  version: (oid) => earlier.version(oid) ?? own.version(oid),
  hasLine: (line) => earlier.hasLine(line) || own.hasLine(line),
  firstAuthor: (line) => (earlier.hasLine(line) ? earlier.firstAuthor(line) : own.firstAuthor(line)),
});

/** What a subagent's checkpoint holds of another's work is told by that one's own, or by the end of the turn. */
export const isAbout = (checkpoint: Checkpoint, path: RawPath): boolean => subagentPaths(checkpoint)?.includes(path) ?? true;

export const checkpointsFor = (all: Chain, path: RawPath): Chain => all.filter((each, at) => at === all.length - 1 || isAbout(each, path));
