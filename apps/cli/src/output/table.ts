import type { Context } from '../context.ts';
import type { Colour } from './paint.ts';
import { beginningOf, oneLine, spacedLine, truncate, truncateMiddle, widthOf } from './text.ts';

export interface Column<Row> {
  /** Shown in capitals. */
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly colour?: (row: Row) => Colour | undefined;
  readonly align?: 'right';
  /** Spaces are kept, as in a line of code. */
  readonly spaced?: boolean;
  /** May be truncated on a narrow terminal: at its end, or in the middle if its end tells rows apart. */
  readonly flexible?: boolean | 'middle';
  /** If even that is not enough: a shorter value, or no column at all. */
  readonly narrow?: ((row: Row, rows: readonly Row[]) => string) | 'left-out';
  /** A truncated one would be useless: an ID. */
  readonly whole?: boolean;
}

const GAP = 2;
const GOOD_WIDTH = 20;
const MIN_WIDTH = 8;
/** In a pipe nothing has to fit. A long text is cut, and widens its own row only. `--json` has all of it. */
const MAX_PIPED = 500;
const MAX_PIPED_COLUMN = 60;

/** Rows under a heading, as wide as the terminal allows. */
export function table<Row>(
  context: Pick<Context, 'width' | 'paint'>,
  rows: readonly Row[],
  all: readonly Column<Row>[],
  how: { readonly gap?: number } = {},
): string {
  const wide = measure(rows, all);
  // Columns between which there is one space less lose nothing; a shorter text does.
  const gap = how.gap !== undefined && !fits(wide.widths, all, context.width) ? how.gap : GAP;
  const limit = context.width + (GAP - gap) * (all.length - 1);
  const columns = fits(wide.widths, all, limit) ? all : narrowed(rows, all, limit);
  const { cells, widths } = columns === all ? wide : measure(rows, columns);
  shrink(widths, columns, limit);
  const most = Number.isFinite(context.width) ? Number.POSITIVE_INFINITY : MAX_PIPED_COLUMN;
  // Nothing follows the last column.
  const filled = (text: string, at: number): string =>
    at === columns.length - 1 && columns[at]?.align === undefined ? text : pad(text, Math.min(widths[at] ?? 0, most), columns[at] ?? {});
  const heading = columns.map(({ title }, at) => context.paint('dim', filled(truncate(title.toUpperCase(), widths[at] ?? 0), at)));
  const lines = cells.map((line, index) =>
    columns.map((column, at) => {
      const width = widths[at] ?? 0;
      const cut = column.flexible === 'middle' ? truncateMiddle : truncate;
      const text = filled(cut(line[at] ?? '', width), at);
      const colour = column.colour?.(rows[index] as Row);
      return colour ? context.paint(colour, text) : text;
    }),
  );
  return [heading, ...lines].map((line) => `${line.join(' '.repeat(gap)).trimEnd()}\n`).join('');
}

function measure<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): { cells: string[][]; widths: number[] } {
  const cells = rows.map((row) => columns.map((column) => (column.spaced ? spacedLine : oneLine)(beginningOf(column.value(row)))));
  const widths = columns.map((column, at) =>
    cells.reduce((widest, line) => Math.max(widest, Math.min(MAX_PIPED, widthOf(line[at] ?? ''))), widthOf(column.title)),
  );
  return { cells, widths };
}

function fits<Row>(widths: readonly number[], columns: readonly Column<Row>[], limit: number): boolean {
  return totalOf(widths.map((width, at) => (columns[at]?.flexible ? Math.min(width, GOOD_WIDTH) : width))) <= limit;
}

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);

/** Shorter values first; then columns are left out, the last of them first, until the rest fits. */
function narrowed<Row>(rows: readonly Row[], all: readonly Column<Row>[], limit: number): Column<Row>[] {
  let columns = all.map((column) => {
    const { narrow } = column;
    return typeof narrow === 'function' ? { ...column, value: (row: Row) => narrow(row, rows) } : column;
  });
  for (let last = lastLeftOut(columns); last >= 0 && !fits(measure(rows, columns).widths, columns, limit); last = lastLeftOut(columns))
    columns = columns.toSpliced(last, 1);
  return columns;
}

const lastLeftOut = <Row>(columns: readonly Column<Row>[]): number => columns.findLastIndex(({ narrow }) => narrow === 'left-out');

/** First the flexible columns, the widest of them first; then, if they are as narrow as can be, every other one but IDs. */
function shrink<Row>(widths: number[], columns: readonly Column<Row>[], limit: number): void {
  const narrowable = [
    (at: number): boolean => Boolean(columns[at]?.flexible) && (widths[at] ?? 0) > GOOD_WIDTH,
    (at: number): boolean => Boolean(columns[at]?.flexible) && (widths[at] ?? 0) > MIN_WIDTH,
    (at: number): boolean => !columns[at]?.whole && (widths[at] ?? 0) > MIN_WIDTH,
  ];
  for (const may of narrowable)
    for (let over = totalOf(widths) - limit; over > 0; over--) {
      const at = widestOf(widths, may);
      if (at === undefined) break;
      widths[at] = (widths[at] ?? 0) - 1;
    }
}

function widestOf(widths: readonly number[], may: (at: number) => boolean): number | undefined {
  const some = widths.flatMap((_, at) => (may(at) ? [at] : []));
  return some.length === 0 ? undefined : some.reduce((best, at) => ((widths[at] ?? 0) >= (widths[best] ?? 0) ? at : best));
}

function pad(text: string, width: number, { align }: Pick<Column<never>, 'align'>): string {
  const fill = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? fill + text : text + fill;
}
