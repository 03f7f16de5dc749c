import type { Agent } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { futureForwarder } from '../locations.ts';
import { repositoryRoot } from '../repository.ts';
import { readConfig } from './config-file.ts';
import { type ConfigPlace, configPlace, type InstallScope } from './config-place.ts';
import { installedIn, installTarget } from './edit.ts';
import { allRecords } from './records.ts';

/** Some agents run a hook twice that stands at both levels, so one agent is never installed at two. */
export function refuseSecondLevel(context: Context, agent: Agent, scope: InstallScope, home: string, places: Places | undefined): void {
  const other =
    otherLevel(context, agent, scope, home) ?? (scope === 'user' && places ? projectElsewhere(context, agent, home, places) : undefined);
  if (!other) return;
  const undo = scope === 'user' ? '`piton uninstall --project` in that repository' : '`piton uninstall`';
  throw new Failure(`${agent.title} has Piton already at the ${scope === 'user' ? 'project' : 'user'} level; at both it could fire twice`, {
    where: other,
    remedy: `keep that one, or run ${undo} first`,
  });
}

function otherLevel(context: Context, agent: Agent, scope: InstallScope, home: string): string | undefined {
  const place = levelOf(context, agent, scope === 'user' ? 'project' : 'user', home);
  return place && installedIn(place, installTarget(futureForwarder(context), place.scope, home)).length > 0 ? place.path : undefined;
}

/** The agent's file at a level, or undefined where there is no repository. */
export function levelOf(context: Context, agent: Agent, scope: InstallScope, home: string): ConfigPlace | undefined {
  const base = scope === 'user' ? home : repositoryRoot(context);
  // In a home that is itself a repository both levels would be the same file.
  if (base === undefined || (scope === 'project' && base === home)) return undefined;
  return configPlace(agent, scope, base, context.env);
}

function projectElsewhere(context: Context, agent: Agent, home: string, places: Places): string | undefined {
  const target = installTarget(futureForwarder(context), 'project', home);
  const record = allRecords(places).find((each) => {
    if (each.agent !== agent.id || each.scope !== 'project') return false;
    const { text } = readConfig(each.file);
    return text !== null && agent.installer.installed(text, target, { path: each.file, label: each.file }).length > 0;
  });
  return record?.file;
}
