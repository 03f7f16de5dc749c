import { findAgent } from '@piton/agents';
import type { EventDetail } from '@piton/store';
import type { Context } from '../context.ts';
import { subjectOf } from '../events/row.ts';
import { type Column, table } from '../output/table.ts';
import type { SentEvent } from './replay.ts';
import { addsContext } from './timeline.ts';

/** One agent's session, summarized. */
interface Summary {
  readonly agent: string;
  readonly stored: number;
  /** The first event whose answer added context. */
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

/** The first session is shown in full. The others show that the same hooks work in every agent, in its own format. */
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
  // Events are sent one at a time, so they are stored in the same order.
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
