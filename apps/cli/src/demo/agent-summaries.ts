import { findAgent } from '@piton/agents';
import type { EventDetail } from '@piton/store';
import type { Context } from '../context.ts';
import { subjectOf } from '../events/row.ts';
import { type Column, table } from '../output/table.ts';
import type { SentEvent } from './replay.ts';
import { addsContext } from './timeline.ts';

/** What came of one agent's session, in a line. */
interface Summary {
  readonly agent: string;
  readonly stored: number;
  /** The event at which the model was told something. */
  readonly contextEvent: string;
  readonly denied: string;
  readonly answer: string;
}

const COLUMNS: readonly Column<Summary>[] = [
  { title: 'AGENT', value: ({ agent }) => agent },
  { title: 'EVENTS', value: ({ stored }) => String(stored), align: 'right', narrow: 'left-out' },
  { title: 'CONTEXT ADDED AT', value: ({ contextEvent }) => contextEvent },
  { title: 'DENIED', value: ({ denied }) => denied, colour: () => 'red' },
  { title: 'NATIVE ANSWER', value: ({ answer }) => answer, colour: () => 'dim', flexible: true, narrow: 'left-out' },
];

/** The first session is told whole; of the others one sees that the same hooks do the same in every agent's own words. */
export function agentSummaries(
  context: Context,
  agents: readonly string[],
  sent: readonly SentEvent[],
  events: readonly EventDetail[],
): string {
  return table(
    context,
    agents.map((agent) => summary(agent, sent, events)),
    COLUMNS,
  );
}

function summary(agent: string, sent: readonly SentEvent[], events: readonly EventDetail[]): Summary {
  const stored = events.filter((event) => event.agent === agent);
  const contextEvent = stored.find(addsContext);
  const denied = stored.find((event) => event.decision === 'deny');
  // They were sent one after the other: the first that was sent is the first that was stored.
  const inOrder = stored.filter(({ derived }) => !derived);
  const answer = denied && sent.filter((one) => one.agent === agent)[inOrder.indexOf(denied)];
  return {
    agent: findAgent(agent)?.title ?? agent,
    stored: stored.length,
    contextEvent: contextEvent?.event ?? '',
    denied: denied ? subjectOf(denied) : '',
    answer: answer?.answer.trim() ?? '',
  };
}
