import type { Agent, NativeContext } from '@piton/contracts';
import { auggie } from './auggie/index.ts';
import { claude } from './claude/index.ts';
import { cline } from './cline/index.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor/index.ts';
import { droid } from './droid/index.ts';
import { gemini } from './gemini/index.ts';
import { grok } from './grok/index.ts';
import { kilo } from './kilo/index.ts';
import { kimi } from './kimi/index.ts';
import { omp } from './omp/index.ts';
import { opencode } from './opencode/index.ts';
import { pi } from './pi/index.ts';
import { qwen } from './qwen/index.ts';
import { isObject } from './shared/json-fields.ts';
import { unknownThrough } from './shared/unknown-agent/index.ts';
import { knownWords } from './shared/unknown-agent/known-words.ts';
import { foreignSign, namesItself } from './shared/unknown-agent/signs.ts';
import { vscode } from './vscode/index.ts';

/** The one list. Adding an agent is its folder and a line here. */

export { isWrittenByPiton } from './shared/command-line.ts';
export { PORTABLE_TRANSCRIPT, transcriptLines } from './shared/portable/transcript-lines.ts';
export { differencesAt, type VersionClass, versionClass } from './shared/version-class.ts';

export const AGENTS: readonly Agent[] = [
  claude,
  codex,
  gemini,
  qwen,
  opencode,
  kilo,
  copilot,
  droid,
  cline,
  pi,
  grok,
  kimi,
  omp,
  auggie,
  cursor,
  vscode,
];

/**
 * The agent that sent it: the one whose registration was run, or one that also runs its configuration and claims the payload. What
 * fits neither is from an agent that nobody knows.
 */
export function agentFor(registered: string, payload: unknown, context: NativeContext): Agent | undefined {
  const agent = findAgent(registered);
  if (agent === undefined || !isObject(payload) || namesItself(agent, payload)) return agent;
  const claims = (one: Agent): boolean => one.claims?.(payload, context) === true && foreignSign(one, payload, WORDS) === undefined;
  if (claims(agent)) return agent;
  const other = ALSO_RUN_BY.get(agent.id)?.find(claims);
  if (other !== undefined) return other;
  return foreignSign(agent, payload, WORDS) === undefined ? agent : UNKNOWN.get(agent.id);
}

/** By id or alias, in any case. */
export function findAgent(idOrAlias: string): Agent | undefined {
  return BY_NAME.get(idOrAlias) ?? BY_NAME.get(idOrAlias.toLowerCase());
}

const BY_NAME: ReadonlyMap<string, Agent> = new Map(
  [...AGENTS].reverse().flatMap((agent) => [...agent.aliases, agent.id].map((name) => [name, agent] as const)),
);

/** By the agent whose configuration they run beside their own. */
const ALSO_RUN_BY: ReadonlyMap<string, readonly Agent[]> = new Map(
  AGENTS.map(({ id }) => [id, AGENTS.filter(({ alsoRuns }) => alsoRuns?.includes(id))]),
);

const WORDS = knownWords(AGENTS);
const UNKNOWN: ReadonlyMap<string, Agent> = new Map(AGENTS.map((agent) => [agent.id, unknownThrough(agent, WORDS)]));
