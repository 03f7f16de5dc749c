import type { EventDetail } from '@piton/store';
import type { Context } from '../context.ts';
import { decisionColour, decisionOf, subjectOf } from '../events/row.ts';
import { Failure } from '../failure.ts';
import { readStore } from '../open-store.ts';
import { type Column, table } from '../output/table.ts';
import { oneLine, wrap } from '../output/text.ts';
import { formatDuration, formatTime } from '../output/time.ts';
import { flush } from '../server/client.ts';
import type { DemoEnvironment } from './environment.ts';

/** What was stored, not what the demo thinks it sent. */
export async function readTimeline(demo: DemoEnvironment): Promise<EventDetail[]> {
  await flush(demo.places);
  return readStore(
    demo.places,
    async (store) => {
      const details: EventDetail[] = [];
      for (const { eventId } of [...(await store.events({ limit: 1000 }))].reverse()) {
        const found = await store.event(eventId);
        if (found.found !== 'one') throw new Failure(`cannot read event ${eventId}`);
        details.push(found.value);
      }
      return details;
    },
    [],
  );
}

/** Did the answer itself carry context? Deferred context is carried by a later answer. */
export const addsContext = ({ outcome }: EventDetail): boolean =>
  outcome?.delivered.some(({ decision, how }) => decision === 'replace' && how !== 'deferred' && how !== 'none') ?? false;

const COLUMNS: readonly Column<EventDetail>[] = [
  { title: 'TIME', value: (event) => formatTime(event.wallUs / 1000).slice(-8) },
  { title: 'AGENT', value: (event) => event.agent },
  { title: 'EVENT', value: (event) => event.event },
  { title: 'WHAT', value: subjectOf, flexible: true },
  { title: 'DECISION', value: decisionOf, colour: (event) => decisionColour(event.decision) },
  { title: 'TOOK', value: timeOf, align: 'right' },
];

/** A line per event, followed by what its hooks decided. */
export function timelineText(context: Context, events: readonly EventDetail[]): string {
  const [heading = '', ...lines] = table(context, events, COLUMNS).trimEnd().split('\n');
  const withRemarks = events.flatMap((event, at) => [lines[at] ?? '', ...remarks(event).flatMap((remark) => remarkLines(context, remark))]);
  return `${[heading, ...withRemarks].join('\n')}\n`;
}

function remarkLines(context: Context, remark: string): string[] {
  return wrap(remark, context.width - 12).map((line, at) => context.paint('dim', `${' '.repeat(10)}${at === 0 ? '↳' : ' '} ${line}`));
}

/** The time in the server and in the hooks: what the agent waited for, without the process start. */
function timeOf(event: EventDetail): string {
  if (event.serverUs === null) return '';
  const hooks = event.hookRuns.reduce((sum, run) => sum + (run.observed ? 0 : (run.durationMs ?? 0)), 0);
  return formatDuration(event.serverUs / 1000 + hooks);
}

function remarks(event: EventDetail): string[] {
  const decision = event.outcome?.decision;
  if (!decision) return [];
  const by = event.hookRuns.filter((run) => run.did === 'ran' && run.said !== null && run.said !== 'observe').map((run) => run.hook);
  const from = by.join(', ') || 'a hook';
  return [
    ...(decision.verdict === 'deny' && decision.reason ? [`${from} denies it, and the model reads: ${oneLine(decision.reason)}`] : []),
    ...(decision.content ? [`${from} adds to the context: ${oneLine(decision.content)}`] : []),
  ];
}
