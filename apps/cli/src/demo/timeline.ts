import type { EventDetail } from '@piton/store';
import type { Context } from '../context.ts';
import { decidedEvent, type Happening, happeningsOf } from '../events/happening.ts';
import { resultOf, whatHappened } from '../events/words.ts';
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

/** A row of `piton events`, with what the agent waited for. */
interface Row {
  readonly happening: Happening;
  readonly took: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'TIME', value: ({ happening }) => formatTime(happening.event.wallUs / 1000).slice(-8) },
  { title: 'AGENT', value: ({ happening }) => happening.event.agent },
  { title: 'WHAT', value: ({ happening }) => whatHappened(happening), flexible: true },
  {
    title: 'RESULT',
    value: ({ happening }) => resultOf(happening).text,
    colour: ({ happening }) => resultOf(happening).colour,
    flexible: true,
  },
  { title: 'TOOK', value: ({ took }) => took, align: 'right' },
];

/** A line for each thing that happened, as `piton events` has it, followed by what its hooks said. */
export function timelineText(context: Context, events: readonly EventDetail[]): string {
  const details = new Map(events.map((event) => [event.eventId, event]));
  const newestFirst = events.filter((event) => !event.derived && !event.canary).reverse();
  const rows = happeningsOf(newestFirst)
    .reverse()
    .map((happening): Row => {
      const parts = happening.parts.flatMap(({ eventId }) => details.get(eventId) ?? []);
      return { happening, took: tookOf(parts) };
    });
  const [heading = '', ...lines] = table(context, rows, COLUMNS).trimEnd().split('\n');
  const withRemarks = rows.flatMap(({ happening }, at) => {
    const decided = details.get(decidedEvent(happening).eventId);
    return [lines[at] ?? '', ...(decided ? remarks(decided) : []).flatMap((remark) => remarkLines(context, remark))];
  });
  return `${[heading, ...withRemarks].join('\n')}\n`;
}

function remarkLines(context: Context, remark: string): string[] {
  return wrap(remark, context.width - 12).map((line, at) => context.paint('dim', `${' '.repeat(10)}${at === 0 ? '↳' : ' '} ${line}`));
}

/** The time in the server and in the hooks: what the agent waited for, without the process start. */
function tookOf(parts: readonly EventDetail[]): string {
  const measured = parts.filter(({ serverUs }) => serverUs !== null);
  if (measured.length === 0) return '';
  const hooks = measured.flatMap(({ hookRuns }) => hookRuns).reduce((sum, run) => sum + (run.observed ? 0 : (run.durationMs ?? 0)), 0);
  return formatDuration(measured.reduce((sum, { serverUs }) => sum + (serverUs ?? 0) / 1000, 0) + hooks);
}

function remarks({ outcome }: EventDetail): string[] {
  const decision = outcome?.decision;
  if (!decision) return [];
  return [
    ...(decision.verdict === 'deny' && decision.reason ? [`the model reads: ${oneLine(decision.reason)}`] : []),
    ...(decision.content ? [`the model reads: ${oneLine(decision.content)}`] : []),
  ];
}
