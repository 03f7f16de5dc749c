import type { Agent } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { futureForwarder } from '../locations.ts';
import { repositoryRoot } from '../repository.ts';
import { installedAt } from './agent-plan.ts';
import { readConfig } from './config-file.ts';
import { type ConfigPlaces, configPlaces, type InstallScope, whereOf } from './config-place.ts';
import { installTarget } from './edit.ts';
import { recordsOf } from './records.ts';

/** Some agents run a hook twice if it is registered at both levels, so an agent is never installed at both. */
export function otherLevelFailure(
  context: Context,
  agent: Agent,
  scope: InstallScope,
  home: string,
  places: Places | undefined,
): Failure | undefined {
  const other =
    otherLevel(context, agent, scope, home) ?? (scope === 'user' && places ? projectElsewhere(context, agent, home, places) : undefined);
  if (!other) return undefined;
  const undo = scope === 'user' ? '`piton uninstall --project` in that repository' : '`piton uninstall`';
  return new Failure(
    `${agent.title} already has Piton at the ${scope === 'user' ? 'project' : 'user'} level. At both levels events could fire twice`,
    {
      where: other,
      remedy: `keep that one, or run ${undo} first`,
    },
  );
}

function otherLevel(context: Context, agent: Agent, scope: InstallScope, home: string): string | undefined {
  const other = scope === 'user' ? 'project' : 'user';
  const places = levelOf(context, agent, other, home);
  return places && installedAt(places, installTarget(futureForwarder(context), other, home)).length > 0 ? whereOf(places) : undefined;
}

/** The command that registers an agent at a level. */
export const initFor = ({ id }: Agent, scope: InstallScope): string => `piton init${scope === 'project' ? ' --project' : ''} --agent ${id}`;

/** Why an agent cannot be registered for a repository, where it cannot. */
export const noProjectFailure = ({ id, installer: { userOnly } }: Agent, scope: InstallScope): Failure | undefined =>
  scope === 'project' && userOnly !== undefined
    ? new Failure(userOnly, { remedy: `register it for your user: piton init --agent ${id}` })
    : undefined;

/** The agent's files at a level, or undefined where there is no repository, or none for the agent. */
export function levelOf(context: Context, agent: Agent, scope: InstallScope, home: string): ConfigPlaces | undefined {
  const base = scope === 'user' ? home : repositoryRoot(context);
  // If the home is itself a repository, both levels would be the same file.
  if (base === undefined || (scope === 'project' && (base === home || agent.installer.userOnly !== undefined))) return undefined;
  return configPlaces(agent, scope, base, context.env);
}

/** Is Piton registered with an agent at any level that applies here? A file that cannot be read counts as no. */
export function isRegistered(context: Context, agent: Agent, home: string): boolean {
  return (['user', 'project'] as const).some((scope) => {
    try {
      const files = levelOf(context, agent, scope, home);
      return files !== undefined && installedAt(files, installTarget(futureForwarder(context), scope, home)).length > 0;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  });
}

function projectElsewhere(context: Context, agent: Agent, home: string, places: Places): string | undefined {
  const target = installTarget(futureForwarder(context), 'project', home);
  const files = agent.installer.configFiles('project', context.env);
  const record = recordsOf(places, agent.id, 'project').find((each) => {
    const { text } = readConfig(each.file);
    const file = files.find(({ path }) => each.file.endsWith(path)) ?? files[0];
    return text !== null && agent.installer.installed(text, target, file).length > 0;
  });
  return record?.file;
}
