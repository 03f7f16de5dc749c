import { structuredPatch } from 'diff';

const CONTEXT = 3;
/** Beyond this many edits the search takes seconds and the result is unreadable: everything is shown as replaced. */
const MAX_EDITS = 1000;

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with its mark, without its line break. */
  readonly lines: readonly string[];
}

/** The change of one file as `diff -u` prints it, readable by `patch`. Null means no file. Equal texts give an empty string. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const header = `--- ${before === null ? '/dev/null' : path}\n+++ ${after === null ? '/dev/null' : path}\n`;
  const [a, b] = [before ?? '', after ?? ''];
  const patch = structuredPatch('', '', a, b, undefined, undefined, { context: CONTEXT, maxEditLength: MAX_EDITS });
  return header + (patch?.hunks ?? [replaced(a, b)]).map(hunkText).join('');
}

function replaced(before: string, after: string): Hunk {
  const [a, b] = [linesOf(before), linesOf(after)];
  return { oldStart: 1, oldLines: a.length, newStart: 1, newLines: b.length, lines: [...marked('-', a), ...marked('+', b)] };
}

/** Each with its line break, so that a missing one at the end is a difference. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const marked = (mark: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) => (line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file']));

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  // An empty range starts at the line before it.
  const range = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`;
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}
