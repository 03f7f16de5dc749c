import type { PitonEvent } from '@piton/contracts';
import type { PitonEventDetail, SubscriptionRun } from '@piton/store';
import type { Context } from '../context.ts';
import { type Column, table } from '../output/table.ts';
import { indent, printable } from '../output/text.ts';
import { formatDuration, formatShortTime, formatTime } from '../output/time.ts';

/** What an event emitted by Piton is about, in a few words. */
function subjectOf(event: PitonEvent): string {
  switch (event.event) {
    case 'checkpoint-created':
    case 'checkpoint-restored':
    case 'commit-linked':
      return `${event.kind}: ${event.name}${event.commit_sha === null ? '' : ` (${event.commit_sha.slice(0, 10)})`}`;
    case 'session-started':
      return event.source ?? '';
    case 'session-ended':
      return event.reason ?? '';
    case 'hook-failed':
      return `${event.hook}: ${event.reason}`;
    case 'decision-denied':
      return [event.tool, event.reason].filter(Boolean).join(': ');
    case 'history-read':
      return `${event.tool} ${event.input}: ${event.failed ?? `${event.results} found`}`;
  }
}

/** How many subscriptions ran, failed or were skipped. */
function subscriptionSummary(runs: readonly SubscriptionRun[]): string {
  const ran = runs.filter(({ did }) => did === 'ran');
  const failed = ran.filter((run) => run.failed !== null).length;
  const skipped = runs.length - ran.length;
  const parts = [
    ran.length > failed && `${ran.length - failed} ran`,
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} skipped`,
  ];
  return parts.filter(Boolean).join(', ') || 'none';
}

type Row = PitonEventDetail & { readonly shortId: string };

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'TIME',
    value: ({ event }) => formatTime(Date.parse(event.time)),
    narrow: ({ event }) => formatShortTime(Date.parse(event.time)),
  },
  { title: 'EVENT', value: ({ event }) => event.event },
  { title: 'AGENT', value: ({ event }) => event.agent ?? '', narrow: 'left-out' },
  { title: 'WHAT', value: ({ event }) => subjectOf(event), flexible: true },
  {
    title: 'SUBSCRIPTIONS',
    value: ({ runs }) => subscriptionSummary(runs),
    colour: ({ runs }) => (runs.some((run) => run.failed !== null) ? 'red' : 'dim'),
  },
  { title: 'ID', value: ({ shortId }) => shortId, colour: () => 'dim', whole: true },
];

export const pitonEventTable = (context: Context, events: readonly Row[]): string => table(context, events, COLUMNS);

/** One event in full: the payload that subscriptions read, and the result of each. */
export function describePitonEvent(context: Context, { event, runs }: PitonEventDetail): string {
  const { paint } = context;
  return [
    paint('bold', `${event.event}  ${event.id}`),
    '',
    paint('bold', 'subscriptions'),
    ...(runs.length === 0 ? ['  no subscriptions'] : runs.map((run) => `  ${runLine(context, run)}`)),
    '',
    paint('bold', 'payload'),
    indent(printable(JSON.stringify(event, null, 2))),
    '',
  ].join('\n');
}

function runLine(context: Context, run: SubscriptionRun): string {
  const note = run.note === null ? '' : `: ${printable(run.note)}`;
  if (run.did === 'skipped') return context.paint('dim', `- ${run.hook} was skipped, ${run.why}${note}`);
  const end = `${run.timedOut === null ? `exit ${run.exitCode}` : 'timeout'} after ${formatDuration(run.durationMs ?? 0)}`;
  return run.failed === null
    ? `${context.paint('green', '✓')} ${run.hook} ran, ${end}`
    : `${context.paint('red', '✗')} ${run.hook} failed, ${end}${note}`;
}
