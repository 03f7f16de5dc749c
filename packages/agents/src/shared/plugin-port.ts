import type { JsonObject } from '@piton/contracts';

/** What Piton answers to a plugin inside an agent: JSON of our own, in the agent's own terms, which the plugin applies. */
export interface PluginAnswer {
  readonly deny?: string;
  readonly input?: JsonObject;
  readonly output?: unknown;
  readonly context?: string;
  readonly continue?: string;
  /** For the person. */
  readonly message?: string;
}

export interface PluginPort {
  /** Sends one event to Piton. It always answers in time, and never throws: if Piton fails, the answer is empty. */
  send(nativeEvent: string, payload: unknown, cwd: string): Promise<PluginAnswer>;
}

/** An agent's `plugin.ts`: takes what the agent hands to a plugin, and gives back what the agent expects. */
export type Plugin<Host, Hooks> = (host: Host, port: PluginPort) => Hooks;
