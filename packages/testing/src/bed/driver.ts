import type { PinnedAgent } from './agents.ts';
import type { Room } from './room.ts';

/** How one real agent is set up and called so that it talks to nobody but the scripted model. */
export interface AgentDriver {
  readonly pinned: PinnedAgent;
  prepare(room: Room): void;
  command(prompt: string, flags: readonly string[]): readonly [string, ...string[]];
  env(modelUrl: string): Readonly<Record<string, string>>;
}
