import type { ModelScript, ModelTurn } from '../model/script.ts';
import type { PinnedAgent } from './agents.ts';
import type { Workspace } from './workspace.ts';

/** How to configure and run a real agent so that it talks only to the scripted model. */
export interface AgentDriver extends AgentSetup {
  readonly pinned: PinnedAgent;
  readonly tools: AgentTools;
  /** The same agent, configured to ask for permission before a tool. Absent if it never asks in a headless run. */
  readonly cautious?: AgentSetup;
  /** The same agent as a person runs it, on a terminal. Absent where a headless run shows all that its hooks can do. */
  readonly terminal?: OnTerminal;
  /** It runs the hooks that a person has trusted alone: `piton init --trust-hooks` does it, where its flag for all is not enough. */
  readonly trustsHooks?: true;
  /** What older versions need besides `env`. */
  readonly olderEnv?: AgentSetup['env'];
  /** What makes it compact its context. Absent if nothing does in a headless run. */
  readonly compaction?: Compaction;
  /** It starts hooks after a tool and asks its model meanwhile: what they do may come later. */
  readonly goesOn?: true;
  /** The event whose hooks it starts and does not wait for: the model answers when they have ended, so that chance decides nothing. */
  readonly unawaited?: string;
  /** How many refused stops of a turn it lets a hook have, where that is less than ours. */
  readonly ownStops?: number;
  /** Its hooks run in its process, in a plugin: an event starts no process. */
  readonly inProcess?: true;
  /** Claims that a scripted run cannot show, and why: `event` or `event.decision`. Shown in the docs. */
  readonly unprovoked?: Readonly<Record<string, string>>;
  /** Fields of payloads that it tells, but not in these runs, and why: `event.field`. */
  readonly untold?: Readonly<Record<string, string>>;
}

export interface AgentSetup {
  prepare(workspace: Workspace): void;
  command(prompt: string, flags: readonly string[]): readonly [string, ...string[]];
  env(modelUrl: string): Readonly<Record<string, string>>;
}

export interface OnTerminal {
  command(): readonly [string, ...string[]];
  /** What a person does before the first prompt. */
  readonly begin: readonly TerminalStep[];
  /** What the screen shows where a prompt can be typed. */
  readonly ready: string;
  /** What hooks hear of on a terminal alone. */
  readonly only: readonly string[];
}

/** Once the screen shows what `until` matches, a line is typed, and then keys are pressed, by tmux's names of them. */
export interface TerminalStep {
  readonly until: string;
  readonly type?: string;
  readonly keys?: readonly string[];
}

export interface Compaction {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  prepare?(workspace: Workspace): void;
  /** A session in which it happens once. */
  readonly script: ModelScript;
  /** The scripted summary. The model reads it again after the compaction. */
  readonly summary: string;
  /** Flags that resume the last session with another prompt. */
  readonly again?: readonly string[];
  /** Why nothing that a hook says can be in the first request after it. Absent if it is. */
  readonly noDoor?: string;
}

/** How the model of this agent calls its tools, one turn each. Absent if the agent has no such tool. */
export interface AgentTools {
  shell(command: string): ModelTurn;
  write(path: string, content: string): ModelTurn;
  edit(path: string, before: string, after: string): ModelTurn;
  read?(path: string): ModelTurn;
  /** The items, and which of them are done. */
  todo?(items: readonly { readonly text: string; readonly done: boolean }[]): ModelTurn;
  /** Its prompt selects its script by `match`. */
  subagent?(prompt: string): ModelTurn;
  /** Calls `echo` of the server `mock` that `prepare` sets up. */
  mcp?(text: string): ModelTurn;
}
