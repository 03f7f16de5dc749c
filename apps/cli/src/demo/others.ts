import { findAgent } from '@piton/agents';
import type { EventDetail } from '@piton/store';
import type { Context } from '../context.ts';
import { subjectOf } from '../events/row.ts';
import { type Column, table } from '../output/table.ts';
import type { Played } from './play.ts';
import { tellsModel } from './timeline.ts';

/** What came of one agent's session, in a line. */
interface Summary {
  readonly agent: string;
  readonly stored: number;
  /** The event at which the model was told something. */
  readonly told: string;
  readonly denied: string;
  readonly answer: string;
}

const COLUMNS: readonly Column<Summary>[] = [
  { title: 'AGENT', value: ({ agent }) => agent },
  { title: 'EVENTS', value: ({ stored }) => String(stored), align: 'right', narrow: 'left-out' },
  { title: 'CONTEXT ADDED AT', value: ({ told }) => told },
  { title: 'DENIED', value: ({ denied }) => denied, colour: () => 'red' },
  { title: 'NATIVE ANSWER', value: ({ answer }) => answer, colour: () => 'dim', flexible: true, narrow: 'left-out' },
];

/** The first session is told whole; of the others one sees that the same hooks do the same in every agent's own words. */
export function othersText(context: Context, agents: readonly string[], played: readonly Played[], events: readonly EventDetail[]): string {
  return table(
    context,
    agents.map((agent) => summary(agent, played, events)),
    COLUMNS,
  );
}

function summary(agent: string, played: readonly Played[], events: readonly EventDetail[]): Summary {
  const stored = events.filter((event) => event.agent === agent);
  const told = stored.find(tellsModel);
  const denied = stored.find((event) => event.decision === 'deny');
  // They were sent one after the other: the first that was sent is the first that was stored.
  const inOrder = stored.filter(({ derived }) => !derived);
  const answer = denied && played.filter((one) => one.agent === agent)[inOrder.indexOf(denied)];
  return {
    agent: findAgent(agent)?.title ?? agent,
    stored: stored.length,
    told: told?.event ?? '',
    denied: denied ? subjectOf(denied) : '',
    answer: answer?.answer.trim() ?? '',
  };
}
