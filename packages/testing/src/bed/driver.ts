import type { ModelScript, ModelTurn } from '../model/script.ts';
import type { PinnedAgent } from './agents.ts';
import type { Room } from './room.ts';

/** How one real agent is set up and called so that it talks to nobody but the scripted model. */
export interface AgentDriver extends AgentSetup {
  readonly pinned: PinnedAgent;
  readonly tools: AgentTools;
  /** The same agent, set up so that it wants a permission before it uses a tool. Left out where it never does when nobody is there. */
  readonly cautious?: AgentSetup;
  /** What makes it compact its context. Left out where nothing does when nobody is there. */
  readonly compaction?: Compaction;
  /** Its hooks run in its own process, by a plugin: no process is started for an event. */
  readonly inProcess?: true;
  /** What it claims and a scripted run cannot bring about, and why: `event` or `event.decision`. Shown as such in the docs. */
  readonly unprovoked?: Readonly<Record<string, string>>;
}

export interface AgentSetup {
  prepare(room: Room): void;
  command(prompt: string, flags: readonly string[]): readonly [string, ...string[]];
  env(modelUrl: string): Readonly<Record<string, string>>;
}

export interface Compaction {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  prepare?(room: Room): void;
  /** A session in which it happens once. */
  readonly script: ModelScript;
  /** What the script says as the summary: the model reads it again once it has happened. */
  readonly summary: string;
  /** Flags that take the last session up again, with another prompt. */
  readonly again?: readonly string[];
}

/** How the model of this agent calls its tools, one turn each. Left out where the agent has no such tool. */
export interface AgentTools {
  shell(command: string): ModelTurn;
  write(path: string, content: string): ModelTurn;
  edit(path: string, before: string, after: string): ModelTurn;
  read?(path: string): ModelTurn;
  /** Item by item, and which of them are done. */
  todo?(items: readonly { readonly text: string; readonly done: boolean }[]): ModelTurn;
  /** Its prompt finds its own script by `match`. */
  subagent?(prompt: string): ModelTurn;
  /** Calls `echo` of the server `mock` that `prepare` sets up. */
  mcp?(text: string): ModelTurn;
}
