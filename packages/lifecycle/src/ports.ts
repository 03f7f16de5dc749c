import type { CanonicalEvent, Frame } from '@piton/contracts';
import type { Checkout } from '@piton/contracts/repository';
import type { HookDefinition, ModuleHosts, Sandbox } from '@piton/hooks';
import type { AgentFor } from './decoded-event.ts';
import type { Duplicates } from './duplicates.ts';
import type { LinkReader } from './paths/resolved-paths.ts';
import type { Runs } from './runs.ts';
import type { SessionMemory } from './session/memory.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { TranscriptPort } from './transcripts/last-message.ts';

/** The public part of a class: a rehearsal has implementations without files. */
type Public<T> = Pick<T, keyof T>;

/** Everything that the lifecycle needs from outside. The server, the command and the stand-in each provide it. */
export interface LifecyclePorts {
  readonly agentFor: AgentFor;
  /** The hooks in force where this event happened, in the order in which they run. */
  readonly hooksFor: (event: CanonicalEvent, frame: Frame) => readonly HookDefinition[];
  /** What `~` means in a path. */
  readonly home: string;
  /** Follows links, never on the loop that decides. */
  readonly links: LinkReader;
  readonly transcripts: TranscriptPort;
  readonly repositoryOf: (cwd: string) => Checkout | null;
  /** Settles when a built-in hook has what it needs for this event; undefined if nothing has to be waited for. Left out: there are none. */
  readonly contextReady?: (event: CanonicalEvent, frame: Frame) => Promise<void> | undefined;
  /** The message for the person at the start of a session. */
  readonly noticeFor: (event: CanonicalEvent) => string | undefined;
  readonly sessions: Public<SessionMemory>;
  readonly duplicates: Pick<Duplicates, 'firstOf'>;
  readonly toolCalls: Public<ToolCalls>;
  readonly runs: Pick<Runs, 'nestingOf' | 'open'>;
  readonly modules: Pick<ModuleHosts, 'run'>;
  readonly sandbox: Sandbox;
  /** Does this frame carry a canary token that was issued and not used yet? */
  readonly isCanary: (frame: Frame, nowUs: bigint) => boolean;
  /** The name of the program that ran the hook, for an agent that nobody knows. */
  readonly callerOf: (frame: Frame) => string | undefined;
  /** What runs Piton's command in the shell of whoever reads our texts. */
  readonly command: () => string;
  readonly reportProblem: (what: string, remedy: string, kind?: 'note') => void;
  /** The clock that stamps frames: `monotonicUs`. */
  readonly nowUs: () => bigint;
}
