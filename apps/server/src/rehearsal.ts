import { randomBytes } from 'node:crypto';
import { findAgent, speakerOf } from '@piton/agents';
import { type Agent, type CanonicalEvent, type Frame, type NativeAnswer, type Outcome, ulid } from '@piton/contracts';
import { repositoryOf } from '@piton/contracts/repository';
import type { HookDefinition, ModuleHosts, Sandbox } from '@piton/hooks';
import { Canaries } from './canaries.ts';
import { conclude } from './conclude.ts';
import { nowUs } from './now.ts';
import { listen, type Pipeline, type Spawn } from './pipeline.ts';
import { Runs } from './runs.ts';
import { ToolCalls } from './tool-calls.ts';
import { Twins } from './twins.ts';

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
  /** Another agent, by id, that is to have said the same: hooks see it speak, and the answer is in its words. */
  readonly as?: string;
}

export interface RehearsalPorts {
  readonly spawn: Spawn;
  readonly modules: ModuleHosts;
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

/** An event without agent, journal, store or server: heard, decided and encoded by the functions with which the server does it. */
export function rehearse(occasion: Occasion, hooks: readonly HookDefinition[], ports: RehearsalPorts): Rehearsal {
  const pipeline = pipelineOf(hooks, ports, occasion.as);
  const frame = frameOf(occasion);
  const heard = listen(pipeline, frame);
  return {
    event: heard.event,
    runs: heard.deciding.length + heard.observing.length > 0,
    async perform() {
      // Its budget begins with it, however long it was put off.
      const concluded = await conclude(pipeline, { ...heard, frame: { ...frame, monotonicUs: nowUs() } }, ports.spawn);
      const later = (await concluded.afterwards?.(ports.spawn)) ?? [];
      const verdict = concluded.verdict();
      const outcome: Outcome =
        verdict.kind === 'decided' ? verdict.outcome : { decision: concluded.reduced, trace: [], delivered: concluded.encoded.delivered };
      const { answer, deferred } = concluded.encoded;
      return { outcome: { ...outcome, trace: [...outcome.trace, ...later] }, answer, ...(deferred !== undefined && { deferred }) };
    },
  };
}

function pipelineOf(hooks: readonly HookDefinition[], { modules, sandbox }: RehearsalPorts, as: string | undefined): Pipeline {
  return {
    agents: findAgent,
    speakerOf: (...said) => impersonated(speakerOf(...said), as),
    registry: {
      hooksFor: (_place, names) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
      subscriptionsFor: () => [],
      list: () => ({ hooks: [], subscriptions: [], problems: [] }),
    },
    repositoryOf,
    sessions: FORGETFUL,
    twins: new Twins(),
    toolCalls: new ToolCalls(),
    runs: new Runs(),
    modules,
    sandbox,
    snapshot: { meet: () => {}, denyFor: () => undefined },
    canaries: new Canaries(),
    trouble: () => {},
  };
}

/** Decodes as the one who said it, and is the other one in all else. */
function impersonated(speaker: Agent | undefined, as: string | undefined): Agent | undefined {
  const other = as === undefined ? undefined : findAgent(as);
  if (speaker === undefined || other === undefined) return speaker;
  return {
    ...other,
    decode(payload, hearing) {
      const event = speaker.decode(payload, hearing);
      const nativeEvent = other.events.find((native) => native.event === event.event)?.name ?? event.nativeEvent;
      return { ...event, agent: other.id, nativeEvent };
    },
  };
}

/** One event has no past: nothing is deferred to it, and no stop was refused before it. */
const FORGETFUL: Pipeline['sessions'] = {
  rootOf: () => null,
  endsAgain: () => false,
  isContinuation: () => false,
  prompted: () => {},
  cap: (_event, reduced) => ({ reduced, capped: false }),
  defer: () => {},
  hasDeferred: () => false,
  takeDeferred: () => undefined,
};

function frameOf({ agent, nativeEvent, payload, cwd, variables = {}, terminal = false, eventId }: Occasion): Frame {
  const bytes = Buffer.from(JSON.stringify(payload ?? null));
  const timeoutMs = findAgent(agent)?.events.find(({ name }) => name === nativeEvent)?.timeoutMs ?? 0;
  return {
    ...{ agent, nativeEvent, scope: 'rehearsal', timeoutMs, args: [], cwd, terminal, variables },
    stamp: eventId ?? ulid(Date.now(), randomBytes(10)),
    ...{ bootId: '', wallUs: BigInt(Date.now()) * 1000n, monotonicUs: nowUs(), pid: 0, ppid: 0, depth: 0, run: '' },
    ...{ truncated: false, resent: false, sender: 'rehearsal', canary: '', payloadSize: bytes.length, payload: bytes },
  };
}
