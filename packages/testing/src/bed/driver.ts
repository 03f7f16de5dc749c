import type { Turn } from '../model/script.ts';
import type { PinnedAgent } from './agents.ts';
import type { Room } from './room.ts';

/** How one real agent is set up and called so that it talks to nobody but the scripted model. */
export interface AgentDriver {
  readonly pinned: PinnedAgent;
  prepare(room: Room): void;
  command(prompt: string, flags: readonly string[]): readonly [string, ...string[]];
  env(modelUrl: string): Readonly<Record<string, string>>;
  readonly tools: AgentTools;
}

/** How the model of this agent calls its tools, one turn each. Left out where the agent has no such tool. */
export interface AgentTools {
  shell(command: string): Turn;
  write(path: string, content: string): Turn;
  edit(path: string, before: string, after: string): Turn;
  read?(path: string): Turn;
  /** Item by item, and which of them are done. */
  todo?(items: readonly { readonly text: string; readonly done: boolean }[]): Turn;
  /** Its prompt finds its own script by `match`. */
  subagent?(prompt: string): Turn;
  /** Calls `echo` of the server `mock` that `prepare` sets up. */
  mcp?(text: string): Turn;
}
