import type { Agent, CanonicalEvent, Frame, NativeAnswer, Outcome } from '@piton/contracts';
import type { HookDefinition, ModuleHosts, Sandbox, Spawn } from '@piton/hooks';
import { decideFrame } from './decide-frame.ts';
import type { LifecyclePorts } from './ports.ts';
import { receiveFrame } from './received-frame.ts';
import { Runs } from './runs.ts';
import { singleEvent } from './single-event.ts';

/** An event as an agent would fire it. */
export interface Occasion {
  readonly agent: string;
  readonly nativeEvent: string;
  readonly payload: unknown;
  /** The working directory of the process that the agent would start. The payload may name another. */
  readonly cwd: string;
  /** Environment variables of the agent that its decoder reads. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Could a person answer a question? */
  readonly terminal?: boolean;
  readonly eventId?: string;
  /** Pretends that this agent (by id) sent it: hooks see it as the sender, and the answer is in its native format. */
  readonly as?: string;
}

/** What is the same for every rehearsal. */
export type RehearsalContext = Pick<LifecyclePorts, 'agentFor' | 'repositoryOf' | 'nowUs' | 'home' | 'links' | 'transcripts'> & {
  readonly findAgent: (idOrAlias: string) => Agent | undefined;
  readonly newStamp: () => string;
};

export interface RehearsalPorts extends RehearsalContext {
  readonly spawn: Spawn;
  readonly modules: Pick<ModuleHosts, 'run'>;
  readonly sandbox: Sandbox;
}

export interface Rehearsed {
  readonly outcome: Outcome;
  /** Exactly the bytes that the forwarder would print for the agent. */
  readonly answer: NativeAnswer;
  /** What would be deferred to the next event that can carry it. */
  readonly deferred?: string;
}

export interface Rehearsal {
  readonly event: CanonicalEvent;
  /** Would any hook run? Nothing has run yet. */
  readonly runs: boolean;
  /** Runs all hooks, including observing ones. */
  perform(): Promise<Rehearsed>;
}

/** An event without agent, journal, store or server, decoded, decided and encoded by the same functions as in the server. */
export function rehearse(occasion: Occasion, hooks: readonly HookDefinition[], context: RehearsalPorts): Rehearsal {
  const ports = lifecycleOf(hooks, context, occasion.as);
  const frame = frameOf(occasion, context);
  const received = receiveFrame(ports, frame);
  const prepared = received.prepare();
  return {
    event: prepared.event,
    runs: prepared.deciding.length + prepared.observing.length > 0,
    async perform() {
      // As the files lie today; whether a hook would run goes by what the event said.
      await received.complete();
      // The budget starts now, not when the rehearsal was prepared.
      const decided = await decideFrame(ports, { ...received.prepare(), frame: { ...frame, monotonicUs: context.nowUs() } }, context.spawn);
      const later = (await decided.afterwards?.(context.spawn)) ?? [];
      const made = decided.outcome();
      const outcome: Outcome =
        made.kind === 'decided' ? made.outcome : { decision: decided.reduced, trace: [], delivered: decided.encoded.delivered };
      const { answer, deferred } = decided.encoded;
      return { outcome: { ...outcome, trace: [...outcome.trace, ...later] }, answer, ...(deferred !== undefined && { deferred }) };
    },
  };
}

function lifecycleOf(hooks: readonly HookDefinition[], context: RehearsalPorts, as: string | undefined): LifecyclePorts {
  const { agentFor, findAgent, repositoryOf, nowUs, modules, sandbox, home, links, transcripts } = context;
  const other = as === undefined ? undefined : findAgent(as);
  return {
    ...singleEvent(),
    ...{ home, links, transcripts, repositoryOf, nowUs, modules, sandbox, runs: new Runs() },
    agentFor: (...sent) => impersonated(agentFor(...sent), other),
    hooksFor: ({ names }) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
  };
}

/** Decodes as the sender, and is the other agent in everything else. */
function impersonated(sender: Agent | undefined, other: Agent | undefined): Agent | undefined {
  if (sender === undefined || other === undefined) return sender;
  return {
    ...other,
    decode(payload, native) {
      const event = sender.decode(payload, native);
      const nativeEvent = other.events.find((one) => one.event === event.event)?.name ?? event.nativeEvent;
      return { ...event, agent: other.id, nativeEvent };
    },
  };
}

function frameOf(occasion: Occasion, { findAgent, nowUs, newStamp }: RehearsalContext): Frame {
  const { agent, nativeEvent, payload, cwd, variables = {}, terminal = false, eventId } = occasion;
  const bytes = Buffer.from(JSON.stringify(payload ?? null));
  const timeoutMs = findAgent(agent)?.events.find(({ name }) => name === nativeEvent)?.timeoutMs ?? 0;
  return {
    ...{ agent, nativeEvent, scope: 'rehearsal', timeoutMs, args: [], cwd, terminal, variables },
    stamp: eventId ?? newStamp(),
    ...{ bootId: '', wallUs: 0n, monotonicUs: nowUs(), pid: 0, ppid: 0, depth: 0, run: '' },
    ...{ truncated: false, resent: false, sender: 'rehearsal', canary: '', payloadSize: bytes.length, payload: bytes },
  };
}
