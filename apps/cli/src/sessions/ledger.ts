import type { LedgerRow } from '@piton/store';
import type { Column } from '../output/table.ts';
import { formatShortTime, formatTime } from '../output/time.ts';

/** One fact in a row, with the shortest ID of the event that shows it. */
export type LedgerLine = LedgerRow & { readonly shortId: string };

export const LEDGER_COLUMNS: readonly Column<LedgerLine>[] = [
  { title: 'TIME', value: ({ wallUs }) => formatTime(wallUs / 1000), narrow: ({ wallUs }) => formatShortTime(wallUs / 1000) },
  {
    title: 'WHAT',
    value: nameOf,
    colour: (row) => (row.kind === 'denial' || (row.kind === 'command' && row.ok === false) ? 'red' : undefined),
  },
  { title: 'DETAIL', value: detailOf, flexible: true },
  { title: 'END', value: endOf },
  { title: 'EVENT', value: ({ shortId }) => shortId, colour: () => 'dim', whole: true },
];

function nameOf(row: LedgerRow): string {
  return row.kind === 'command' ? (row.purpose ?? row.kind) : row.kind;
}

function endOf(row: LedgerRow): string {
  if (row.kind !== 'command') return '';
  if (row.exitCode !== null) return row.exitCode === 0 ? 'ok' : `exit ${row.exitCode}`;
  return row.ok === null ? 'unknown' : row.ok ? 'ok' : 'failed';
}

function detailOf(row: LedgerRow): string {
  switch (row.kind) {
    case 'file':
      return row.path;
    case 'command':
      return row.command;
    case 'commit':
      return `${row.sha.slice(0, 12)} ${row.subject ?? ''}`;
    case 'denial':
      return [row.tool, row.what, row.reason].filter(Boolean).join(': ');
    case 'todos':
      return row.items.map(({ text, status }) => `${status === 'done' ? '[x]' : '[ ]'} ${text}`).join(' ');
    case 'choice':
      return `${row.question} → ${row.answer}`;
    case 'answer':
      return row.text;
    case 'failure':
      return [row.cause, row.text].filter(Boolean).join(': ');
  }
}
