import type { Context } from '../context.ts';
import type { Colour } from './paint.ts';
import { oneLine, spacedLine, truncate, widthOf } from './text.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly colour?: (row: Row) => Colour | undefined;
  readonly align?: 'right';
  /** Spaces are kept, as in a line of code. */
  readonly spaced?: boolean;
  /** May be truncated on a narrow terminal. */
  readonly flexible?: boolean;
  /** If even that is not enough: a shorter value, or no column at all. */
  readonly narrow?: ((row: Row, rows: readonly Row[]) => string) | 'left-out';
}

const GAP = 2;
const GOOD_WIDTH = 20;
const MIN_WIDTH = 8;

/** Rows under a heading, as wide as the terminal allows. Piped output is never truncated. */
export function table<Row>(context: Context, rows: readonly Row[], all: readonly Column<Row>[]): string {
  const wide = measure(rows, all);
  const columns = fits(wide.widths, all, context.width) ? all : narrowed(rows, all);
  const { cells, widths } = columns === all ? wide : measure(rows, columns);
  shrink(widths, columns, context.width);
  const heading = columns.map((column, at) => context.paint('dim', pad(column.title, widths[at] ?? 0, column.align)));
  const lines = cells.map((line, index) =>
    columns.map((column, at) => {
      const width = widths[at] ?? 0;
      const text = pad(truncate(line[at] ?? '', width), width, column.align);
      const colour = column.colour?.(rows[index] as Row);
      return colour ? context.paint(colour, text) : text;
    }),
  );
  return [heading, ...lines].map((line) => `${line.join(' '.repeat(GAP)).trimEnd()}\n`).join('');
}

function measure<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): { cells: string[][]; widths: number[] } {
  const cells = rows.map((row) => columns.map((column) => (column.spaced ? spacedLine : oneLine)(column.value(row))));
  const widths = columns.map((column, at) => Math.max(widthOf(column.title), ...cells.map((line) => widthOf(line[at] ?? ''))));
  return { cells, widths };
}

function fits<Row>(widths: readonly number[], columns: readonly Column<Row>[], limit: number): boolean {
  const least = widths.map((width, at) => (columns[at]?.flexible ? Math.min(width, GOOD_WIDTH) : width));
  return least.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1) <= limit;
}

function narrowed<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Column<Row>[] {
  return columns
    .filter(({ narrow }) => narrow !== 'left-out')
    .map((column) => {
      const { narrow } = column;
      return typeof narrow === 'function' ? { ...column, value: (row: Row) => narrow(row, rows) } : column;
    });
}

/** The shortest prefix of an ID that no other row has. Commands accept it like the full ID. */
export function uniquePrefix(id: string, ids: readonly string[]): string {
  let length = 12;
  while (length < id.length && ids.some((other) => other !== id && other.startsWith(id.slice(0, length)))) length++;
  return id.slice(0, length);
}

function shrink<Row>(widths: number[], columns: readonly Column<Row>[], limit: number): void {
  const at = columns.findIndex((column) => column.flexible);
  if (at < 0) return;
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);
  if (total > limit) widths[at] = Math.max(MIN_WIDTH, (widths[at] ?? 0) - (total - limit));
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const fill = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? fill + text : text + fill;
}
