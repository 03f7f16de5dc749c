import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { isProgram } from '@piton/contracts/programs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Agents on this machine: those with a configuration directory, or a program on PATH. */
export function detectAgents(home: string, env: Environment): Agent[] {
  return AGENTS.filter((agent) => isHere(agent, home, env));
}

export const isHere = (agent: Agent, home: string, env: Environment): boolean =>
  hasConfig(agent, home, env) || programOf(agent, env) !== undefined;

/** The directory of its file, or a parent named after the agent: a directory for plugins exists only once there is a plugin. */
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
    for (const name of programNames(agent)) {
      const path = join(directory, name);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

export const programNames = (agent: Agent): readonly string[] => agent.programs ?? [agent.id, ...agent.aliases];
