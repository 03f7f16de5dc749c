import type { Agent, Delivery, EventName, TraceEntry } from '@piton/contracts';
import type { EventDetail, HookRun } from '@piton/store';
import { subjectOf } from '../events/row.ts';
import { oneLine } from '../output/text.ts';
import { clock, took } from '../output/time.ts';
import { hookSentence, laterSentence } from './hook-sentence.ts';
import { nativeAnswer } from './native-answer.ts';

/** One event in words, part by part: each a paragraph for people, and a field for programs. */
export interface Explanation {
  readonly event: string;
  readonly happened: string;
  readonly considered: string;
  readonly hooks: readonly string[];
  readonly decided: string;
  readonly told: readonly string[];
  /** What the agent read, or null where that cannot be made again from what is stored. */
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

/** What an agent does when it fires an event. */
const ACTS: Readonly<Partial<Record<EventName, string>>> = {
  session_start: 'began a session',
  session_end: 'ended a session',
  user_prompt_submit: 'was given a prompt',
  pre_tool_use: 'was about to use a tool',
  post_tool_use: 'had used a tool',
  post_tool_use_failure: 'had used a tool, which failed',
  permission_request: 'asked for permission',
  permission_denied: 'was denied something',
  subagent_start: 'began a subagent',
  subagent_stop: 'ended a subagent',
  todo_update: 'changed its to-do list',
  stop: 'ended a turn',
  stop_failure: 'ended a turn by an error',
  pre_compact: 'was about to compact its context',
  post_compact: 'had compacted its context',
  notification: 'notified the person',
};

function happened(event: EventDetail, title: string): string {
  const subject = oneLine(subjectOf(event));
  const names = event.names.length > 1 ? ` (also ${event.names.slice(1).join(', ')})` : '';
  const place = `in ${event.projectPath}${event.branch ? ` on branch ${event.branch}` : ''}`;
  return (
    `At ${clock(event.wallUs / 1000)} ${title} ${ACTS[event.event] ?? 'did something that has no name here'}${subject ? `: ${subject}` : ''}, ${place}. ` +
    `It fired ${event.nativeEvent}, which is ${event.event}${names}.` +
    (event.derived ? ' Piton made this event out of another.' : '')
  );
}

function considered(event: EventDetail, trace: readonly TraceEntry[], later: readonly HookRun[]): string {
  if (event.canary) return 'piton status sent it to prove delivery: no hook is asked.';
  if (event.late && event.outcome === null)
    return 'No server was there to its end, so nothing is known of its hooks: it was recorded only.';
  if (event.expired) return 'What the hooks said was dropped by age; what remains is below.';
  const unlisted = event.outcome?.unmatched ?? 0;
  const ran = trace.filter(({ did }) => did === 'ran').length + later.filter(({ did }) => did === 'ran').length;
  const all = new Set([...trace, ...later].map(({ hook }) => hook)).size + unlisted;
  if (all === 0) return 'No hook was in force for it.';
  const others = unlisted > 0 ? ` ${unlisted} did not match and ${unlisted === 1 ? 'is' : 'are'} not named.` : '';
  return `${all} ${all === 1 ? 'hook was' : 'hooks were'} considered, and ${ran === 1 ? 'one run was' : `${ran || 'no'} runs were`} made.${others}`;
}

function decided(event: EventDetail, trace: readonly TraceEntry[]): string {
  const { outcome } = event;
  if (!outcome) return event.decision === null ? 'Nothing was decided.' : `It was decided: ${event.decision}.`;
  const { decision, reason, continue: goOn, content } = outcome.decision;
  if (decision === 'observe') return 'Together they said nothing: the agent went on as it would have without them.';
  const speakers = trace
    .filter((entry) => entry.did === 'ran' && !entry.observed && entry.said.decision === decision)
    .map(({ hook }) => hook);
  const beaten = [
    ...new Set(
      trace.flatMap((entry) =>
        entry.did === 'ran' && !entry.observed && isBeaten(entry.said.decision, decision) ? [entry.said.decision] : [],
      ),
    ),
  ];
  const by =
    speakers.length > 0 ? `, said by ${[...new Set(speakers)].join(' and ')}` : ', by a policy that could not answer or by Piton itself';
  const over = beaten.length > 0 ? `; it beats ${beaten.join(' and ')}, whatever the order` : '';
  const why = reason ?? goOn ?? content;
  return `Together: ${decision}${by}${over}.${why ? ` “${oneLine(why)}”` : ''}`;
}

const VERDICTS = ['deny', 'ask', 'allow'];
const isBeaten = (said: string, by: string): boolean => VERDICTS.includes(by) && VERDICTS.indexOf(said) > VERDICTS.indexOf(by);

function deliverySentence({ decision, how, note }: Delivery, title: string): string {
  const words = {
    now: `${title} was told ${decision}`,
    deferred: `${title} cannot be told ${decision} here; it is kept for the next event that can carry it`,
    degraded: `${title} was told something weaker than ${decision}`,
    none: `${title} could not be told ${decision} here`,
  };
  return `${words[how]}${note ? `: ${oneLine(note)}` : ''}.`;
}

function tookSentence(event: EventDetail, trace: readonly TraceEntry[]): string {
  const hooks = trace.reduce((sum, entry) => sum + (entry.did === 'ran' && !entry.observed ? entry.durationMs : 0), 0);
  const own = event.serverUs === null ? null : event.serverUs / 1000;
  const parts = [hooks > 0 ? `the hooks took ${took(hooks)}` : '', own === null ? '' : `Piton itself ${took(own)}`].filter(Boolean);
  return parts.length === 0 ? '' : `Of the agent's time ${parts.join(', ')}.`;
}
