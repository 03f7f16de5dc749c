import type { Pushed } from '../own-journal.ts';
import type { Made } from '../subscriptions/fired.ts';
import type { Apart } from './subagents.ts';

/** A session in a working tree: what a checkpoint is about. */
export interface Whereabouts {
  /** A directory of the working tree. */
  readonly directory: string;
  readonly session: string;
  readonly agent: string;
  /** It works inside a run of a hook. */
  readonly child: boolean;
}

/** What the server tells the thread that takes checkpoints. Those with an id are answered by `done`. */
export type ToCheckpointer =
  | ({ readonly kind: 'prompt'; readonly turn: string; readonly prompt: string } & Whereabouts)
  /** A tool is about to change this file: read it first. */
  | ({ readonly kind: 'hold'; readonly id: number; readonly files: readonly string[]; readonly stamp: string } & Whereabouts)
  /** A tool is about to run that may change anything: the way back must be laid first. */
  | ({ readonly kind: 'await'; readonly id: number; readonly stamp: string } & Whereabouts)
  | ({ readonly kind: 'task'; readonly id: number; readonly task: Task; readonly stamp: string } & TaskNote & Whereabouts)
  /** Without a name it is not over: of a tool call and its subagent, the one that ends last tells. */
  | ({ readonly kind: 'task-over'; readonly task: Task; readonly name: string | null; readonly apart: Apart } & Whereabouts)
  | ({ readonly kind: 'todo'; readonly input: unknown; readonly response: unknown } & Whereabouts)
  | ({ readonly kind: 'stop' } & Whereabouts)
  /** The session is asked something else, and not here. */
  | ({ readonly kind: 'interrupted' } & Whereabouts)
  | ({ readonly kind: 'session-over' } & Whereabouts)
  /** A hook of git's own, called in `directory`. */
  | ({ readonly kind: 'git'; readonly id: number; readonly directory: string } & GitCall)
  | { readonly kind: 'close' };

export interface GitCall {
  readonly hook: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly indexFile: string | undefined;
  /** The stamp of the call. */
  readonly stamp: string;
  readonly child: boolean;
}

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

export type FromCheckpointer =
  | { readonly kind: 'done'; readonly id: number }
  /** A checkpoint was made, or one that was there is now linked to a commit. `call` is the call of git's that led to it. */
  | {
      readonly kind: 'made' | 'linked';
      readonly checkpoint: Made;
      readonly root: string;
      readonly child: boolean;
      readonly commit: string | null;
      readonly call: number | null;
    }
  | { readonly kind: 'pushed'; readonly push: Pushed }
  | { readonly kind: 'trouble'; readonly what: string; readonly remedy: string; readonly note?: true }
  | { readonly kind: 'closed' };

export interface CheckpointerData {
  readonly home: string;
  readonly config: string;
  readonly state: string;
}
