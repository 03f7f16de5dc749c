import type { CheckpointSummary } from '@piton/contracts/server-api';
import type { Announced } from '../authors/announced.ts';
import type { GitHookCall } from '../links/git-hook-call.ts';
import type { Pushed } from '../links/pushes.ts';
import type { RawPath } from '../raw-path.ts';
import type { Place } from '../repositories/known-worktrees.ts';
import type { Held } from '../snapshot/observe.ts';
import type { Apart } from '../subagents/subagents.ts';
import type { AgentProcess } from './agent-process.ts';
import type { OpenCall } from './turn-file.ts';

/** A session in a working tree: what a checkpoint is about. */
export interface TreeSession extends Place {
  readonly session: string;
  readonly agent: string;
  /** It works inside a run of a hook. */
  readonly child: boolean;
}

/** A call that may change files, for the log of calls. */
export interface CallInfo {
  /** The stamp of its event. */
  readonly stamp: string;
  /** The portable name of the tool. */
  readonly tool: string;
  /** What it was asked: a command, or the files that it names. */
  readonly what: string;
}

export interface FollowedCall extends CallInfo {
  readonly call: CallMade;
}

/** A call as it is followed until it ends. */
export interface CallMade extends Pick<OpenCall, 'key' | 'reach' | 'stays'> {
  /** Absolute; `patterns` too. */
  readonly files: readonly string[];
  readonly patterns: readonly string[];
  /** What an edit says that it makes of these, by their absolute names. */
  readonly announced?: readonly (readonly [file: string, announced: Announced])[];
  /** Of the agent, where it is known. */
  readonly process?: AgentProcess | undefined;
}

/** Somebody waits for this, until it is answered by `done`, or until then: on the machine's monotonic clock. */
export interface Awaited {
  readonly id: number;
  readonly untilUs: bigint;
}

interface Ending {
  readonly kind: 'ending';
  readonly key: string | null;
  readonly files: readonly string[];
}

/** What the tracker asks of the worker that takes checkpoints. Those with an id are answered by `done`. */
export type CheckpointRequest =
  | ({ readonly kind: 'prompt'; readonly turn: string; readonly prompt: string; readonly process?: AgentProcess | undefined } & TreeSession)
  /** A tool is about to change this file: read it first. */
  | ({ readonly kind: 'hold'; readonly files: readonly string[] } & Awaited & FollowedCall & TreeSession)
  /** A tool is about to run that may change anything: one look at the working tree must be saved first. */
  | ({ readonly kind: 'await' } & Awaited & FollowedCall & TreeSession)
  /** A prompt of which the server learned only afterwards: its turn has no state before it. */
  | ({ readonly kind: 'late-prompt'; readonly turn: string; readonly prompt: string; readonly atMs: number } & TreeSession)
  /** So of a call: what was kept of it, if anything, lies where the stand-in put it. */
  | ({ readonly kind: 'late-call'; readonly files: readonly string[]; readonly atMs: number } & FollowedCall & TreeSession)
  /** A call went on without waiting any longer: what is read of it from now on is no state before it. */
  | { readonly kind: 'gave-up'; readonly id: number }
  /** Answered once all that was asked before, in this working tree, is saved. */
  | { readonly kind: 'settle'; readonly id: number; readonly directory: string }
  /** A call is about to be over, or all of the session's: what they name is read before anybody learns of it. The end itself comes behind. */
  | (Ending & Awaited & TreeSession)
  /** The same, where it was read by whoever asks: nobody waits. */
  | (Ending & { readonly read: readonly (readonly [RawPath, Held])[]; readonly readMs: number } & TreeSession)
  /** A call has ended, or will not come: from now on what changes is not its doing. `late`: the stamp of an event that was late. */
  | ({ readonly kind: 'call-over'; readonly key: string; readonly late?: string } & TreeSession)
  | ({ readonly kind: 'task'; readonly task: Task; readonly stamp: string; readonly call: CallMade } & Awaited & TaskNote & TreeSession)
  /** Without a name it is not over: of a tool call and its subagent, the one that ends last is its end. */
  | ({ readonly kind: 'task-over'; readonly task: Task; readonly name: string | null; readonly apart: Apart } & TreeSession)
  | ({ readonly kind: 'todo'; readonly input: unknown; readonly response: unknown } & TreeSession)
  | ({ readonly kind: 'stop' } & TreeSession)
  /** The session is asked something else, and not here, or its agent's process has ended. */
  | ({ readonly kind: 'interrupted'; readonly late?: string } & TreeSession)
  | ({ readonly kind: 'session-over' } & TreeSession)
  /** A hook of git's own, called in `directory`. */
  | ({ readonly kind: 'git'; readonly id: number } & Place & GitHookCall);

/** Which run of a subagent: its tool call, else its own id. */
export interface Task {
  readonly toolUseId: string | undefined;
  readonly agentId: string | undefined;
}

/** How a run of a subagent is noted: as its call was, or under a name. */
export interface TaskNote {
  readonly like?: Task | undefined;
  readonly name?: string | undefined;
}

/** A checkpoint was made, or one that was there is now linked to a commit. `call` is the call of git's that led to it. */
export interface MadeReport {
  readonly kind: 'made' | 'linked';
  readonly checkpoint: CheckpointSummary;
  readonly root: string;
  readonly child: boolean;
  readonly commit: string | null;
  readonly call: number | null;
}

/** What the worker reports to the tracker. */
export type CheckpointReport =
  /** `noWayBack`: what was asked for could not be saved, and why. */
  | { readonly kind: 'done'; readonly id: number; readonly noWayBack?: string }
  /** The person of this session has to be told. */
  | { readonly kind: 'no-way-back'; readonly session: string; readonly text: string }
  | MadeReport
  | { readonly kind: 'pushed'; readonly push: Pushed }
  | { readonly kind: 'problem'; readonly what: string; readonly remedy: string; readonly note?: true };
