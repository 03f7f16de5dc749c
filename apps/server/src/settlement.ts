import {
  type Agent,
  type CanonicalEvent,
  capabilityOf,
  type Delivery,
  type Encoded,
  type EventName,
  type Outcome,
  type Reduced,
  type TraceEntry,
} from '@piton/contracts';
import { nowUs } from './now.ts';
import type { Heard, Pipeline, Spawn } from './pipeline.ts';
import { ownId } from './tool-calls.ts';
import type { Verdict } from './verdict.ts';

const LISTED_UNMATCHED = 20;

export interface Concluded {
  readonly encoded: Encoded;
  readonly reduced: Reduced;
  /** For the journal; where nothing was decided it can be made after the answer. */
  readonly verdict: () => Verdict;
  /** Runs the hooks that only watch; what they did is to be noted under the same stamp. */
  readonly afterwards: ((spawn: Spawn) => Promise<TraceEntry[]>) | null;
  /** The forwarder has given the agent its answer already. */
  readonly answered?: true;
  /** A hook has answered in the agent's own language: nobody knows what it decided. */
  readonly native?: true;
}

/** What a session remembers: refused stops are counted, and what was deferred is delivered. */
export function adjust(
  pipeline: Pick<Pipeline, 'sessions'>,
  agent: Agent,
  event: CanonicalEvent,
  reduced: Reduced,
  answered: boolean,
): { reduced: Reduced; notes: Delivery[] } {
  const { sessions } = pipeline;
  if (event.sessionId === '') return { reduced, notes: [] };
  if (event.event === 'user_prompt_submit') sessions.prompted(event);
  if (event.event === 'stop' || event.event === 'subagent_stop') {
    const { reduced: rest, capped } = sessions.cap(event, reduced);
    return {
      reduced: rest,
      notes: capped ? [{ decision: 'continue', how: 'none', note: 'refused often enough in a row: the agent may stop' }] : [],
    };
  }
  if (answered || !carriesDeferred(agent, event.event)) return { reduced, notes: [] };
  const deferred = sessions.takeDeferred(event);
  if (deferred === undefined) return { reduced, notes: [] };
  const content = join(deferred, reduced.content);
  return {
    reduced: {
      ...reduced,
      content,
      decision: reduced.decision === 'observe' || reduced.decision === 'allow' ? 'replace' : reduced.decision,
    },
    notes: [],
  };
}

const takesContext = (agent: Agent, event: EventName): boolean => capabilityOf(agent.capabilities, event, 'replace').how === 'now';
const BEGINNINGS: readonly EventName[] = ['session_start', 'user_prompt_submit'];

/** What was deferred comes at a beginning; an agent that takes no context there gets it at the next event that can carry it. */
function carriesDeferred(agent: Agent, event: EventName): boolean {
  const begins = BEGINNINGS.some((beginning) => takesContext(agent, beginning));
  return takesContext(agent, event) && (!begins || BEGINNINGS.includes(event));
}

export const join = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join('\n');

export function settle(
  heard: Heard & { readonly continuation?: boolean },
  reduced: Reduced,
  encoded: Encoded,
  ran: readonly TraceEntry[],
  waitedUs: bigint,
  notes: readonly Delivery[],
  later: Concluded['afterwards'] = null,
): Concluded {
  const serverUs = Number(nowUs() - heard.startedUs - waitedUs);
  const verdict = (): Verdict => {
    const repository = heard.repository();
    const trace = [...heard.skipped, ...ran];
    const outcome: Outcome = { decision: reduced, delivered: [...encoded.delivered, ...notes], ...shortened(trace) };
    const useId = ownId(heard.event);
    return {
      stamp: heard.frame.stamp,
      kind: 'decided',
      outcome,
      serverUs,
      depth: heard.depth,
      parent: heard.parent,
      repo: repository?.root ?? null,
      branch: repository?.branch ?? null,
      derived: derivedBy(heard.event, encoded.delivered),
      ...(useId !== undefined && { useId }),
      ...(heard.continuation && { continuation: true }),
    };
  };
  return { encoded, reduced, verdict, afterwards: later };
}

/** A thousand hooks that did not match would make the record of an event larger than the event. */
function shortened(trace: readonly TraceEntry[]): Pick<Outcome, 'trace' | 'unmatched'> {
  let listed = 0;
  const kept = trace.filter((entry) => entry.did === 'ran' || entry.why !== 'no-match' || ++listed <= LISTED_UNMATCHED);
  return kept.length === trace.length ? { trace } : { trace: kept, unmatched: trace.length - kept.length };
}

/** No agent says that our own deny has failed a tool; so we do. */
export function derivedBy(event: CanonicalEvent, delivered: readonly Delivery[]): EventName[] {
  const stopped = delivered.some(
    ({ decision, how }) => (decision === 'deny' && how === 'now') || (decision === 'ask' && how === 'degraded'),
  );
  if (!stopped) return [];
  if (event.event === 'pre_tool_use') return ['permission_denied', 'post_tool_use_failure'];
  return event.event === 'permission_request' ? ['permission_denied'] : [];
}
