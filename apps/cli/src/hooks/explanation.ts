import { type Agent, type Delivery, type EventTable, type KindEvent, type TraceEntry, VERDICTS } from '@piton/contracts';
import type { EventDetail, HookRun } from '@piton/store';
import { subjectOf } from '../events/row.ts';
import { oneLine } from '../output/text.ts';
import { formatDuration, formatTime } from '../output/time.ts';
import { hookSentence, laterSentence } from './hook-sentence.ts';
import { nativeAnswer } from './native-answer.ts';

/** One event in words: each part is a paragraph for people and a field for programs. */
export interface Explanation {
  readonly event: string;
  readonly happened: string;
  readonly considered: string;
  readonly hooks: readonly string[];
  readonly decided: string;
  readonly told: readonly string[];
  /** What the agent read, or null if it cannot be rebuilt from what is stored. */
  readonly answer: { readonly stdout: string; readonly stderr: string; readonly exitCode: number } | null;
  readonly took: string;
}

export function explain(event: EventDetail, agent: Agent | undefined): Explanation {
  const trace = event.outcome?.trace ?? [];
  const later = event.hookRuns.filter(({ observed }) => observed);
  const answer = agent && nativeAnswer(agent, event);
  return {
    event: event.eventId,
    happened: happened(event, agent?.title ?? event.agent),
    considered: considered(event, trace, later),
    hooks: [...trace.map(hookSentence), ...later.map(laterSentence)],
    decided: decided(event, trace),
    told: (event.outcome?.delivered ?? []).map((delivery) => deliverySentence(delivery, agent?.title ?? event.agent)),
    answer: answer ?? null,
    took: tookSentence(event, trace),
  };
}

/** What an agent did when it fired an event. */
const ACTS: EventTable<string, Exclude<KindEvent, 'todo_update'>> = {
  session_start: 'started a session',
  session_end: 'ended a session',
  user_prompt_submit: 'received a prompt',
  pre_tool_use: 'was about to use a tool',
  post_tool_use: 'used a tool',
  post_tool_use_failure: 'used a tool, which failed',
  permission_request: 'asked for permission',
  permission_denied: 'was denied permission',
  subagent_start: 'started a subagent',
  subagent_stop: 'ended a subagent',
  todo_update: 'changed its to-do list',
  stop: 'ended a turn',
  stop_failure: 'ended a turn with an error',
  pre_compact: 'was about to compact its context',
  post_compact: 'compacted its context',
  notification: 'notified the person',
  other: 'sent an event without a canonical name',
};

function happened(event: EventDetail, title: string): string {
  const subject = oneLine(subjectOf(event));
  const names = event.names.length > 1 ? ` (also ${event.names.slice(1).join(', ')})` : '';
  const place = `in ${event.projectPath}${event.branch ? ` on branch ${event.branch}` : ''}`;
  return (
    `At ${formatTime(event.wallUs / 1000)} ${title} ${ACTS[event.event] ?? ACTS.other}${subject ? `: ${subject}` : ''}, ${place}. ` +
    `It fired ${event.nativeEvent}, which is ${event.event}${names}.` +
    (event.derived ? ' Piton derived this event from another.' : '')
  );
}

function considered(event: EventDetail, trace: readonly TraceEntry[], later: readonly HookRun[]): string {
  if (event.canary) return 'A test event of piton status: no hooks run.';
  if (event.late && event.outcome === null) return 'It was only recorded: no server handled it to the end, so its hooks are unknown.';
  if (event.expired) return 'The hook output has expired.';
  const unlisted = event.outcome?.unmatched ?? 0;
  const ran = trace.filter(({ did }) => did === 'ran').length + later.filter(({ did }) => did === 'ran').length;
  const all = new Set([...trace, ...later].map(({ hook }) => hook)).size + unlisted;
  if (all === 0) return 'No hook was active for it.';
  const others = unlisted > 0 ? ` ${unlisted} did not match and ${unlisted === 1 ? 'is' : 'are'} not listed.` : '';
  return `${all} ${all === 1 ? 'hook was' : 'hooks were'} considered, ${ran === 0 ? 'none' : ran} ran.${others}`;
}

function decided(event: EventDetail, trace: readonly TraceEntry[]): string {
  const { outcome } = event;
  if (!outcome) return event.decision === null ? 'No decision.' : `Decision: ${event.decision}.`;
  const { decision, reason, continue: goOn, content } = outcome.decision;
  if (decision === 'observe') return 'The hooks made no decision. The agent continued as if they were not there.';
  const deciders = trace
    .filter((entry) => entry.did === 'ran' && !entry.observed && entry.said.decision === decision)
    .map(({ hook }) => hook);
  const overridden = [
    ...new Set(
      trace.flatMap((entry) =>
        entry.did === 'ran' && !entry.observed && isOverridden(entry.said.decision, decision) ? [entry.said.decision] : [],
      ),
    ),
  ];
  const by = deciders.length > 0 ? `, by ${[...new Set(deciders)].join(' and ')}` : ', by a policy that could not answer, or by Piton';
  const over = overridden.length > 0 ? `. It overrides ${overridden.join(' and ')}` : '';
  const why = reason ?? goOn ?? content;
  return `Decision: ${decision}${by}${over}.${why ? ` “${oneLine(why)}”` : ''}`;
}

const STATED: readonly string[] = VERDICTS.filter((verdict) => verdict !== 'observe');
const isOverridden = (decision: string, by: string): boolean => STATED.includes(by) && STATED.indexOf(decision) > STATED.indexOf(by);

function deliverySentence({ decision, how, note }: Delivery, title: string): string {
  const words = {
    now: `${title} got ${decision}`,
    deferred: `${title} does not support ${decision} here. It is deferred to the next event that can carry it`,
    degraded: `${title} got a weaker form of ${decision}`,
    none: `${title} does not support ${decision} here`,
  };
  return `${words[how]}${note ? `: ${oneLine(note)}` : ''}.`;
}

function tookSentence(event: EventDetail, trace: readonly TraceEntry[]): string {
  const hooks = trace.reduce((sum, entry) => sum + (entry.did === 'ran' && !entry.observed ? entry.durationMs : 0), 0);
  const serverMs = event.serverUs === null ? null : event.serverUs / 1000;
  const parts = [hooks > 0 ? `hooks ${formatDuration(hooks)}` : '', serverMs === null ? '' : `Piton ${formatDuration(serverMs)}`].filter(
    Boolean,
  );
  return parts.length === 0 ? '' : `Time: ${parts.join(', ')}.`;
}
