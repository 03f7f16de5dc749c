import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real agent at the version that was tested. */
export interface PinnedAgent {
  readonly id: string;
  /** npm silently installs an older one if `engines` does not match, so always name the version. */
  readonly package: string;
  readonly version: string;
  /** The command in `node_modules/.bin`. */
  readonly command: string;
  readonly megabytes: number;
  /** The oldest Node on which it runs, if ours may be too old; `scripts/node-runtimes.mjs` installs it. */
  readonly node?: 22;
  /** It runs in Bun, not in Node: the version of npm's `bun` that is installed beside it. */
  readonly bun?: string;
  /** The variable by which its install script is kept out of the person's home directory. */
  readonly homeVariable?: string;
}

export const PINNED_AGENTS: readonly PinnedAgent[] = [
  { id: 'claude', package: '@anthropic-ai/claude-code', version: '2.1.325', command: 'claude', megabytes: 423 },
  { id: 'codex', package: '@openai/codex', version: '0.166.0', command: 'codex', megabytes: 436 },
  { id: 'gemini', package: '@google/gemini-cli', version: '0.61.0', command: 'gemini', megabytes: 100 },
  { id: 'qwen', package: '@qwen-code/qwen-code', version: '0.24.4', command: 'qwen', megabytes: 144, node: 22 },
  { id: 'opencode', package: 'opencode-ai', version: '1.18.33', command: 'opencode', megabytes: 354 },
  { id: 'kilo', package: '@kilocode/cli', version: '7.7.7', command: 'kilo', megabytes: 292 },
  { id: 'copilot', package: '@github/copilot', version: '1.0.102', command: 'copilot', megabytes: 189 },
  { id: 'droid', package: 'droid', version: '0.215.0', command: 'droid', megabytes: 294 },
  { id: 'cline', package: 'cline', version: '3.0.65', command: 'cline', megabytes: 455 },
  { id: 'pi', package: '@earendil-works/pi-coding-agent', version: '0.87.1', command: 'pi', megabytes: 204, node: 22 },
  { id: 'grok', package: '@xai-official/grok', version: '1.0.41', command: 'grok', megabytes: 206, homeVariable: 'GROK_HOME' },
  { id: 'kimi', package: '@moonshot-ai/kimi-code', version: '2.1.0', command: 'kimi', megabytes: 130, node: 22 },
  { id: 'omp', package: '@oh-my-pi/pi-coding-agent', version: '18.2.3', command: 'omp', megabytes: 750, bun: '1.4.4' },
  { id: 'auggie', package: '@augmentcode/auggie', version: '0.36.0', command: 'auggie', megabytes: 100 },
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Outside the clone: gigabytes shared by all clones and branches. */
export const agentCache = (env: Environment = process.env): string =>
  env.PITON_AGENT_CACHE || join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'piton', 'agents');

export const agentDirectory = (agent: PinnedAgent, env: Environment = process.env): string =>
  join(agentCache(env), `${agent.id}-${agent.version}`);

export const agentCommand = (agent: PinnedAgent, env: Environment = process.env): string =>
  join(agentDirectory(agent, env), 'node_modules', '.bin', agent.command);

/** How to start it: with Bun, or with a newer Node if ours may be too old. */
export function agentArgv(agent: PinnedAgent, env: Environment = process.env): readonly [string, ...string[]] {
  const command = agentCommand(agent, env);
  if (agent.bun !== undefined) return [join(dirname(command), 'bun'), command];
  return agent.node === undefined ? [command] : [runtimeFor(agent.node, env), command];
}

/** Where `scripts/node-runtimes.mjs` installs it, unless ours is new enough. */
function runtimeFor(major: number, env: Environment): string {
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(cache, 'piton', `node-${major}`, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
}

export const isInstalled = (agent: PinnedAgent, env: Environment = process.env): boolean => existsSync(agentCommand(agent, env));

export function pinnedAgent(id: string): PinnedAgent {
  const agent = PINNED_AGENTS.find((one) => one.id === id);
  if (!agent) throw new Error(`no pinned agent ${id}`);
  return agent;
}
