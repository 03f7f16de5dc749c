import { type Agent, type CanonicalEvent, canBlock, type Frame, type TraceEntry } from '@piton/contracts';
import type { Repository } from '@piton/contracts/repository';
import {
  type HookDefinition,
  type ModuleHosts,
  plan,
  type Registry,
  type RunRequest,
  type RunResult,
  type Sandbox,
  skipped as skip,
} from '@piton/hooks';
import type { Canaries } from './canaries.ts';
import { hear, type Speaker } from './hearing.ts';
import { nowUs } from './now.ts';
import type { Runs } from './runs.ts';
import type { LiveSessions } from './sessions.ts';
import type { Snapshot } from './snapshot.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { Twins } from './twins.ts';

/** What others may call of a class: a rehearsal has its own, without files. */
type Public<T> = Pick<T, keyof T>;

export interface Pipeline {
  readonly agents: (id: string) => Agent | undefined;
  readonly speakerOf: Speaker;
  readonly registry: Pick<Registry, 'hooksFor' | 'subscriptionsFor' | 'list'>;
  readonly repositoryOf: (cwd: string) => Repository | null;
  readonly sessions: Public<LiveSessions>;
  readonly twins: Twins;
  readonly runs: Runs;
  readonly modules: ModuleHosts;
  readonly sandbox: Sandbox;
  readonly snapshot: Pick<Snapshot, 'meet' | 'denyFor'>;
  readonly canaries: Canaries;
  readonly trouble: (what: string, remedy: string, kind?: 'note') => void;
  readonly toolCalls: ToolCalls;
}

export type Spawn = (request: RunRequest) => Promise<RunResult>;

/** A frame, heard: what it says, and which hooks stand in its way. */
export interface Heard {
  readonly frame: Frame;
  readonly startedUs: bigint;
  readonly event: CanonicalEvent;
  readonly unreadable: boolean;
  readonly agent: Agent | undefined;
  readonly canary: boolean;
  readonly depth: number;
  readonly parent: string | null;
  /** As it was at the first look; where no hook runs that is after the answer. */
  readonly repository: () => Repository | null;
  readonly deciding: readonly HookDefinition[];
  readonly observing: readonly HookDefinition[];
  readonly skipped: readonly TraceEntry[];
}

export function listen(pipeline: Pipeline, frame: Frame): Heard {
  const startedUs = nowUs();
  const { event, agent, unreadable } = hear(frame, pipeline.speakerOf);
  const parent = pipeline.runs.isOpen(frame.run) ? frame.run : null;
  const depth = parent === null ? 0 : Math.max(1, frame.depth);
  const heard = { frame, startedUs, event, unreadable, agent, depth, parent, canary: false };
  if (agent === undefined || pipeline.canaries.land(frame, startedUs)) {
    return { ...heard, canary: agent !== undefined, repository: () => null, deciding: [], observing: [], skipped: [] };
  }
  if (event.event === 'other' && !agent.events.some(({ name }) => name === event.nativeEvent))
    pipeline.trouble(
      `${agent.title} tells of ${event.nativeEvent}, which this version does not know: it is recorded as \`other\``,
      'nothing is lost; a newer Piton may know it',
      'note',
    );
  const hooks = pipeline.registry.hooksFor({ cwd: event.cwd, sessionRoot: pipeline.sessions.rootOf(event) }, event.names);
  pipeline.snapshot.meet(hooks);
  const repository = once(() => pipeline.repositoryOf(event.cwd));
  if (pipeline.sessions.endsAgain(event))
    return { ...heard, repository, deciding: [], observing: [], skipped: hooks.map((hook) => skip(hook, 'repeated')) };
  const { deciding, observing, skipped } = plan(event, hooks);
  // A payload that nobody can read matches no guard; those that must hold are asked all the same.
  const mustHold = ({ failClosed, enabled, status }: HookDefinition): boolean => failClosed && enabled && status.kind !== 'not-trusted';
  const unread = unreadable ? hooks.filter((hook) => mustHold(hook) && !deciding.includes(hook)) : [];
  const blocking = canBlock(agent.capabilities, event.event);
  const sorted = blocking ? { deciding: [...deciding, ...unread], observing } : { deciding: [], observing: [...deciding, ...observing] };
  return { ...heard, repository, ...sorted, skipped };
}

/** Must a command run for this frame? Asked of a plugin's before it counts as heard: nothing is remembered of it. */
export function wantsCommand(pipeline: Pipeline, frame: Frame): boolean {
  const { event, agent, unreadable } = hear(frame, pipeline.speakerOf);
  if (agent === undefined) return false;
  const hooks = pipeline.registry.hooksFor({ cwd: event.cwd, sessionRoot: pipeline.sessions.rootOf(event) }, event.names);
  const { deciding, observing } = plan(event, hooks);
  return (unreadable ? hooks : [...deciding, ...observing]).some(isCommand);
}

export const isCommand = ({ module, builtIn }: HookDefinition): boolean => module === undefined && builtIn === undefined;

function once<T>(look: () => T): () => T {
  let found: { readonly answer: T } | undefined;
  return () => {
    found ??= { answer: look() };
    return found.answer;
  };
}
