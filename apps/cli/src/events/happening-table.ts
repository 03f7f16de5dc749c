import type { Context } from '../context.ts';
import { type Column, table } from '../output/table.ts';
import { shortLine } from '../output/text.ts';
import { formatShortTime, formatTime } from '../output/time.ts';
import { decidedEvent, type Happening } from './happening.ts';
import { resultOf, whatHappened } from './words.ts';

/** A row, with the shortest ID of the event that `piton hooks explain` should explain. */
export interface HappeningRow {
  readonly happening: Happening;
  readonly shortId: string;
}

export const idOf = (happening: Happening): string => decidedEvent(happening).eventId;

const columns = (isTerminal: boolean): readonly Column<HappeningRow>[] => [
  {
    title: 'TIME',
    value: ({ happening }) => formatTime(happening.event.wallUs / 1000),
    narrow: ({ happening }) => formatShortTime(happening.event.wallUs / 1000),
  },
  { title: 'AGENT', value: ({ happening }) => happening.event.agent },
  { title: 'WHAT', value: ({ happening }) => whatHappened(happening), flexible: true },
  {
    title: 'RESULT',
    value: ({ happening }) => {
      const { text, reason } = resultOf(happening);
      return reason && !isTerminal ? `${text}: ${reason}` : text;
    },
    colour: ({ happening }) => resultOf(happening).colour,
    flexible: true,
  },
  { title: 'ID', value: ({ shortId }) => shortId, colour: () => 'dim', whole: true },
];

const INDENT = '  ↳ ';

/** One row for one thing that happened. On a terminal the words of a hook have a line of their own; in a pipe a row is a line. */
export function happeningTable(context: Context, rows: readonly HappeningRow[]): string {
  const isTerminal = Number.isFinite(context.width);
  const [heading = '', ...lines] = table(context, rows, columns(isTerminal)).trimEnd().split('\n');
  const withReasons = rows.flatMap(({ happening }, at) => {
    const { reason } = resultOf(happening);
    const words = isTerminal && reason ? [context.paint('dim', `${INDENT}${shortLine(reason, context.width - INDENT.length)}`)] : [];
    return [lines[at] ?? '', ...words];
  });
  return `${[heading, ...withReasons].join('\n')}\n`;
}
