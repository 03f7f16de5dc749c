import {
  type Agent,
  type CanonicalEvent,
  canBlock,
  type Frame,
  missingIn,
  namesOfAnyKind,
  type TraceEntry,
  UNKNOWN_AGENT,
} from '@piton/contracts';
import type { Checkout } from '@piton/contracts/repository';
import { type HookDefinition, isPolicy, isTargeted, matcherFits, plan, skipped as skip } from '@piton/hooks';
import type { DecodedEvent } from './decoded-event.ts';
import { once } from './once.ts';
import type { LifecyclePorts } from './ports.ts';

/** The event of a frame and the hooks planned for it. Nothing has run yet. */
export interface PreparedFrame extends DecodedEvent {
  readonly frame: Frame;
  readonly startedUs: bigint;
  readonly canary: boolean;
  readonly depth: number;
  /** The event during whose hook this one happened. */
  readonly parent: string | null;
  /** Looked up at the first call. If no hook runs, that is after the answer. */
  readonly repository: () => Checkout | null;
  readonly deciding: readonly HookDefinition[];
  readonly observing: readonly HookDefinition[];
  readonly skipped: readonly TraceEntry[];
  /** The program that ran the hook, where nobody knows the agent. */
  readonly caller?: string;
  /** Why no policy can judge it. */
  readonly incomplete?: string;
}

const TASK = 'the task of a subagent is no prompt of yours';

export function prepare(ports: LifecyclePorts, frame: Frame, decoded: DecodedEvent, startedUs: bigint): PreparedFrame {
  const { agent, unreadable } = decoded;
  // Now: it may be gone after the answer.
  const caller = agent?.id === UNKNOWN_AGENT ? ports.callerOf(frame) : undefined;
  const event = agent === undefined ? decoded.event : ports.sessions.withSubagent(decoded.event);
  const known = { ...decoded, event, ...ports.runs.nestingOf(frame), frame, startedUs, canary: false };
  const prepared = caller === undefined ? known : { ...known, caller };
  const none = { repository: () => null, deciding: [], observing: [], skipped: [] };
  if (agent === undefined) return { ...prepared, ...none };
  if (ports.isCanary(frame, startedUs)) return { ...prepared, ...none, canary: true };
  reportUnknownEvent(ports, agent, event);
  const hooks = ports.hooksFor(event, frame);
  const repository = once(() => ports.repositoryOf(event.cwd));
  if (ports.sessions.endsAgain(event) || ports.toolCalls.reportsOurDeny(event))
    return { ...prepared, repository, deciding: [], observing: [], skipped: hooks.map((hook) => skip(hook, 'repeated')) };
  if (ports.sessions.isTask(event))
    return { ...prepared, repository, deciding: [], observing: [], skipped: hooks.map((hook) => skip(hook, 'no-match', TASK)) };
  const { deciding, observing, skipped } = plan(event, hooks);
  const incomplete = unreadable ? (event.problems?.[0] ?? 'it could not be read') : missingIn(event);
  // What cannot be read matches no condition, but policies must answer all the same.
  const considered = incomplete === undefined ? [] : event.tool === undefined ? hooksOfAnyKind(ports, event, frame) : hooks;
  const mustAnswer = (hook: HookDefinition): boolean =>
    isPolicy(hook) && isTargeted(hook, event) && matcherFits(hook, event.tool?.name) && !deciding.includes(hook);
  const unread = considered.filter(mustAnswer);
  const sorted = canBlock(agent.capabilities, event.event)
    ? { deciding: [...deciding, ...unread], observing }
    : { deciding: [], observing: [...deciding, ...observing] };
  return { ...prepared, repository, ...sorted, skipped, ...(incomplete !== undefined && { incomplete }) };
}

/** Whether a payload that nobody can read is about a shell command or a file nobody can tell: the hooks of all kinds are in question. */
export const hooksOfAnyKind = (ports: Pick<LifecyclePorts, 'hooksFor'>, event: CanonicalEvent, frame: Frame): readonly HookDefinition[] =>
  ports.hooksFor({ ...event, names: namesOfAnyKind(event.event) }, frame);

function reportUnknownEvent({ reportProblem }: LifecyclePorts, agent: Agent, { event, nativeEvent }: CanonicalEvent): void {
  if (event !== 'other' || agent.id === UNKNOWN_AGENT || agent.events.some(({ name }) => name === nativeEvent)) return;
  reportProblem(
    `${agent.title} sent ${nativeEvent}, which this version does not know. It is recorded as \`other\``,
    'nothing is lost. A newer version of Piton may know it',
    'note',
  );
}
