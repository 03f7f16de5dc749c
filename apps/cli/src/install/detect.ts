import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { AGENTS, findAgent } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { Failure } from '../failure.ts';
import { isProgram } from '../program-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Agents that are here: their configuration directory, or their program on PATH. */
export function detectAgents(home: string, env: Environment): Agent[] {
  return AGENTS.filter((agent) => isHere(agent, home, env));
}

export const isHere = (agent: Agent, home: string, env: Environment): boolean =>
  hasConfig(agent, home, env) || programOf(agent, env) !== undefined;

/** The directory of its file, or one above that bears the agent's name: a directory for plugins is made by whoever has one. */
function hasConfig(agent: Agent, home: string, env: Environment): boolean {
  const [{ path }] = agent.installer.configFiles('user', env);
  const directory = dirname(isAbsolute(path) ? path : join(home, path));
  if (directory !== home && existsSync(directory)) return true;
  for (let at = dirname(directory); at !== home && at !== dirname(at); at = dirname(at)) {
    const name = basename(at).toLowerCase().replace(/^\./, '');
    if (name === agent.id || agent.aliases.includes(name)) return existsSync(at);
  }
  return false;
}

export function programOf(agent: Agent, env: Environment): string | undefined {
  for (const directory of (env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    for (const name of agent.programs ?? [agent.id, ...agent.aliases]) {
      const path = join(directory, name);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

/** `--agent` may be given many times, and may hold commas. */
export function namedAgents(names: readonly string[]): Agent[] {
  const agents = names
    .flatMap((name) => name.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const agent = findAgent(name);
      if (agent) return agent;
      throw new Failure(`no agent is named ${JSON.stringify(name)}`, {
        remedy: `known: ${AGENTS.map(({ id }) => id).join(', ')}`,
        usage: true,
      });
    });
  return [...new Set(agents)];
}
