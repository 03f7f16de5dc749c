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
  /** Of the process that the agent would start; the payload may name another. */
  readonly cwd: string;
  /** What the agent sets in its environment: its decoder looks at some of it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Does a person sit there, who could answer a question? */
  readonly terminal?: boolean;
  readonly eventId?: string;
  /** Another agent, by id, that is to have sent the same: hooks see it as the sender, and the answer is in its language. */
  readonly as?: string;
}

/** What does not differ from one rehearsal to the next. */
export type RehearsalWorld = Pick<LifecyclePorts, 'agentFor' | 'repositoryOf' | 'nowUs'> & {
  readonly findAgent: (idOrAlias: string) => Agent | undefined;
  readonly newStamp: () => string;
};

export interface RehearsalPorts extends RehearsalWorld {
  readonly spawn: Spawn;
  readonly modules: Pick<ModuleHosts, 'run'>;
  readonly sandbox: Sandbox;
}

export interface Rehearsed {
  readonly outcome: Outcome;
  /** Byte for byte what the forwarder would give to the agent. */
  readonly answer: NativeAnswer;
  /** What would be kept for the next event that can carry it. */
  readonly deferred?: string;
}

export interface Rehearsal {
  readonly event: CanonicalEvent;
  /** Would any of the hooks run? Nothing has run so far. */
  readonly runs: boolean;
  /** Runs them, those that only watch included. */
  perform(): Promise<Rehearsed>;
}

/** An event without agent, journal, store or server: decoded, decided and encoded by the functions with which the server does it. */
export function rehearse(occasion: Occasion, hooks: readonly HookDefinition[], world: RehearsalPorts): Rehearsal {
  const ports = lifecycleOf(hooks, world, occasion.as);
  const frame = frameOf(occasion, world);
  const prepared = receiveFrame(ports, frame).prepare();
  return {
    event: prepared.event,
    runs: prepared.deciding.length + prepared.observing.length > 0,
    async perform() {
      // Its budget begins with it, however long it was put off.
      const decided = await decideFrame(ports, { ...prepared, frame: { ...frame, monotonicUs: world.nowUs() } }, world.spawn);
      const later = (await decided.afterwards?.(world.spawn)) ?? [];
      const made = decided.outcome();
      const outcome: Outcome =
        made.kind === 'decided' ? made.outcome : { decision: decided.reduced, trace: [], delivered: decided.encoded.delivered };
      const { answer, deferred } = decided.encoded;
      return { outcome: { ...outcome, trace: [...outcome.trace, ...later] }, answer, ...(deferred !== undefined && { deferred }) };
    },
  };
}

function lifecycleOf(hooks: readonly HookDefinition[], world: RehearsalPorts, as: string | undefined): LifecyclePorts {
  const { agentFor, findAgent, repositoryOf, nowUs, modules, sandbox } = world;
  const other = as === undefined ? undefined : findAgent(as);
  return {
    ...singleEvent(),
    ...{ repositoryOf, nowUs, modules, sandbox, runs: new Runs() },
    agentFor: (...sent) => impersonated(agentFor(...sent), other),
    hooksFor: ({ names }) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
  };
}

/** Decodes as the one who sent it, and is the other one in all else. */
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

function frameOf(occasion: Occasion, { findAgent, nowUs, newStamp }: RehearsalWorld): Frame {
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
