import type { TreeFile } from '@piton/hooks';
import type { Context } from '../context.ts';
import type { Colour } from '../output/paint.ts';
import { plural, widthOf } from '../output/text.ts';
import { rowsOf, visibleText } from '../output/visible-text.ts';
import { contentOf, sha256Of } from './file-content.ts';

/** How much of a hook is shown, unless all of it is asked for. Each cut is reported, and repeated before the question. */
export interface Budget {
  readonly fileLines: number;
  readonly lineLength: number;
  /** Characters, of all files together. */
  left: number;
  /** The files that were not shown whole. */
  readonly cut: string[];
}

export const newBudget = (whole: boolean): Budget =>
  whole
    ? { fileLines: Number.POSITIVE_INFINITY, lineLength: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY, cut: [] }
    : { fileLines: 2000, lineLength: 2000, left: 400_000, cut: [] };

type LinesContext = Pick<Context, 'paint' | 'width' | 'terminal'>;

/** A file as a reviewer reads it: its text behind a margin, or what it is. */
export function fileLines(context: LinesContext, file: TreeFile, budget: Budget): string[] {
  const { path, bytes, executable } = file;
  const content = contentOf(file);
  const program = executable ? ', executable' : '';
  const name = context.paint('bold', visibleText(path));
  if (content.kind === 'binary')
    return [`  ${name}, ${content.format}, ${plural(bytes.length, 'byte')}${program}`, `    sha256 ${sha256Of(bytes)}`];
  const { lines, note } = content;
  const head = `  ${name}, ${plural(lines.length, 'line')}${program}${note === undefined ? '' : `, ${note}`}`;
  return [
    head,
    ...textLines(
      context,
      path,
      lines.map((text) => ({ margin: '|', text, colour: undefined })),
      budget,
    ),
  ];
}

export interface MarginLine {
  readonly margin: string;
  readonly text: string;
  readonly colour: Colour | undefined;
}

/** Lines behind a margin. On a terminal long ones are wrapped by us: a file must not be able to write a row without the margin. */
export function textLines({ paint, width, terminal }: LinesContext, path: string, lines: readonly MarginLine[], budget: Budget): string[] {
  const shown: string[] = [];
  let count = 0;
  let cutLines = 0;
  for (const { margin, text, colour } of lines) {
    if (count >= budget.fileLines || budget.left <= 0) break;
    count++;
    budget.left -= text.length;
    const kept = text.slice(0, budget.lineLength);
    const rest = text.length - kept.length;
    if (rest > 0) cutLines++;
    const rows = terminal ? rowsOf(kept.replaceAll('\t', '    '), width - 5, widthOf) : [kept];
    for (const [at, row] of rows.entries()) {
      const ink = colour === undefined ? row : paint(colour, row);
      shown.push(`  ${paint(colour ?? 'dim', at === 0 ? margin : margin.replace('|', ':'))} ${ink}`);
    }
    if (rest > 0) shown.push(`  ${paint('yellow', `! ${plural(rest, 'more character')} of this line not shown`)}`);
  }
  const missing = lines.length - count;
  if (missing > 0) shown.push(`  ${paint('yellow', `! ${plural(missing, 'more line')} of ${visibleText(path)} not shown`)}`);
  if (missing > 0 || cutLines > 0) budget.cut.push(path);
  return shown;
}
