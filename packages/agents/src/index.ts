import type { Agent, NativeContext } from '@piton/contracts';
import { claude } from './claude/index.ts';
import { cline } from './cline/index.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor/index.ts';
import { droid } from './droid/index.ts';
import { gemini } from './gemini/index.ts';
import { kilo } from './kilo/index.ts';
import { opencode } from './opencode/index.ts';
import { pi } from './pi/index.ts';
import { qwen } from './qwen/index.ts';
import { vscode } from './vscode/index.ts';

/** The one list. Adding an agent is its folder and a line here. */
export const AGENTS: readonly Agent[] = [claude, codex, gemini, qwen, opencode, kilo, copilot, droid, cline, pi, cursor, vscode];

/**
 * The agent that sent it: the one whose registration was run, unless one that also runs its configuration claims the payload.
 */
export function agentFor(registered: string, payload: unknown, context: NativeContext): Agent | undefined {
  const agent = findAgent(registered);
  if (agent === undefined || agent.claims?.(payload, context)) return agent;
  return AGENTS.find((other) => other.alsoRuns?.includes(agent.id) && other.claims?.(payload, context)) ?? agent;
}

/** By id or alias, in any case. */
export function findAgent(idOrAlias: string): Agent | undefined {
  return BY_NAME.get(idOrAlias) ?? BY_NAME.get(idOrAlias.toLowerCase());
}

const BY_NAME: ReadonlyMap<string, Agent> = new Map(
  [...AGENTS].reverse().flatMap((agent) => [...agent.aliases, agent.id].map((name) => [name, agent] as const)),
);
