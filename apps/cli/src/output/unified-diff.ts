import { type DiffLine, diffLines } from '../trust/diff.ts';

const CONTEXT = 3;
/** Beyond this the table of common lines would not fit into memory: all of it is then shown as replaced. */
const LONGEST = 3000;

/** A change of one file as `diff -u` prints it, for `patch` to read. Null is no file; equal texts give nothing. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const changes = numbered(lineChanges(linesOf(before), linesOf(after)));
  const header = `--- ${before === null ? '/dev/null' : path}\n+++ ${after === null ? '/dev/null' : path}\n`;
  return header + hunksOf(changes).map(hunkText).join('');
}

/** Each with its line break, so that a missing one at the end is a difference. */
const linesOf = (text: string | null): string[] => text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What both have at either end is set apart first: edits of a configuration are small. */
function lineChanges(a: readonly string[], b: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ mark: ' ', text }));
  const [oldPart, newPart] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return [...same(a.slice(0, start)), ...changesBetween(oldPart, newPart), ...same(a.slice(a.length - end))];
}

function changesBetween(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length <= LONGEST && b.length <= LONGEST) return diffLines(a, b);
  return [...a.map((text): DiffLine => ({ mark: '-', text })), ...b.map((text): DiffLine => ({ mark: '+', text }))];
}

interface Numbered extends DiffLine {
  /** How many lines of either side stand before it. */
  readonly old: number;
  readonly new: number;
}

function numbered(lines: readonly DiffLine[]): Numbered[] {
  let old = 0;
  let now = 0;
  return lines.map((line) => {
    const at = { ...line, old, new: now };
    if (line.mark !== '+') old++;
    if (line.mark !== '-') now++;
    return at;
  });
}

/** Runs of lines that are changed or stand near a change. */
function hunksOf(lines: readonly Numbered[]): Numbered[][] {
  const near = new Set<number>();
  lines.forEach((line, at) => {
    if (line.mark !== ' ') for (let i = at - CONTEXT; i <= at + CONTEXT; i++) near.add(i);
  });
  const hunks: Numbered[][] = [];
  lines.forEach((line, at) => {
    if (!near.has(at)) return;
    if (near.has(at - 1) && at > 0) hunks.at(-1)?.push(line);
    else hunks.push([line]);
  });
  return hunks;
}

function hunkText(hunk: readonly Numbered[]): string {
  const olds = hunk.filter(({ mark }) => mark !== '+').length;
  const news = hunk.filter(({ mark }) => mark !== '-').length;
  const from = hunk[0] as Numbered;
  const range = (before: number, count: number): string => `${count === 0 ? before : before + 1},${count}`;
  const body = hunk.map(({ mark, text }) => `${mark}${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`);
  return `@@ -${range(from.old, olds)} +${range(from.new, news)} @@\n${body.join('')}`;
}
