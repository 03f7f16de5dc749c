import { type Context, printAsIs, printJson, printLine } from '../context.ts';
import { patchText } from '../output/patch-output.ts';
import { formatCount } from '../output/text.ts';
import { unifiedDiff } from '../output/unified-diff.ts';

/**
 * One change on the person's machine. Every command that changes something plans a list of these: its question, `--dry-run`, its report
 * and `--json` show that list and no other, so nothing changes that was not named.
 */
export interface Change {
  readonly action: ChangeAction;
  /** The file, directory or link. */
  readonly path: string;
  /** For a person, in a few words: what is in it. */
  readonly what: string;
  /** A directory of Piton's own, as a whole: its files are not listed one by one. */
  readonly whole?: true;
  /** As `patch` reads it, where the file is text. */
  readonly diff?: string;
  /** Of a file that is created, or whose mode changes. */
  readonly mode?: number;
  /** Where what was there is moved. */
  readonly aside?: string;
  /** The number of refs below the path, in a repository. */
  readonly refs?: number;
}

export type ChangeAction = 'create' | 'change' | 'remove';

export const changeJson = ({ mode, ...change }: Change): Record<string, unknown> => ({
  ...change,
  ...(mode !== undefined && { mode: mode.toString(8).padStart(4, '0') }),
});

/** A file as it is and as it will be. Null is no file. A text gets a diff. */
export function fileChange(path: string, before: Buffer | null, after: Buffer | string | null, what: string, mode?: number): Change {
  const [old, now] = [before, typeof after === 'string' ? Buffer.from(after) : after];
  const isText = ![old, now].some((bytes) => bytes?.includes(0));
  return {
    ...{ action: old === null ? 'create' : now === null ? 'remove' : 'change', path, what },
    ...(isText && { diff: unifiedDiff(path, old?.toString('utf8') ?? null, now?.toString('utf8') ?? null) }),
    ...(mode !== undefined && now !== null && { mode }),
  };
}

/** What lies in Piton's own directory. */
export const ownChange = (path: string, what: string): Change => ({ action: 'change', path, what, whole: true });

/** `--dry-run` of a command that has no other report of its plan. */
export function showDryRun(context: Context, changes: readonly Change[], json: boolean): void {
  if (json) return printJson(context, { dryRun: true, changes: changes.map(changeJson) });
  printLine(context, changes.length === 0 ? 'Nothing would change.' : 'Piton would change (dry run):');
  for (const { path, what } of changes) printLine(context, `  ${context.paint('yellow', '~')} ${path}: ${what}`);
  printDiffs(context, changes);
}

/** A line of the list that a command shows before its question, in `--dry-run` and when it is done, with the changes behind it. */
export interface Step {
  readonly what: string;
  readonly notes: readonly string[];
  /** What comes next, said before it is done and not after. */
  readonly ahead?: readonly string[];
  /** None if all is as it should be. */
  readonly changes: readonly Change[];
}

export const changesOf = (steps: readonly Step[]): Change[] => steps.flatMap(({ changes }) => changes);

export function printSteps(context: Context, steps: readonly Step[], isDone: boolean): void {
  const { paint } = context;
  const mark = isDone ? paint('green', '✓') : paint('yellow', '~');
  for (const { what, notes, ahead = [], changes } of steps) {
    printLine(context, `  ${changes.length > 0 ? mark : paint('dim', '=')} ${what}`);
    for (const note of isDone ? notes : [...notes, ...ahead]) printLine(context, `      ${note}`);
  }
}

/** A new file of this many lines is named only: it is a program of the library's, which nobody reads in a list of changes. */
const LONG_FILE = 200;

export function printDiffs(context: Context, changes: readonly Change[]): void {
  for (const { action, path, diff } of changes) {
    const lines = diff?.split('\n').length ?? 0;
    if (action === 'create' && lines > LONG_FILE) printLine(context, `\n${path}: ${formatCount(lines)} new lines. To read them: --json`);
    // A link has nothing to compare.
    else if (diff?.includes('\n@@ ')) printDiff(context, diff);
  }
}

/** As a patch looks, painted, and no line of it broken: what a file has in it is not ours to arrange. */
export const printDiff = (context: Context, diff: string): void => printAsIs(context, `\n${patchText(context, diff.trimEnd())}`);
