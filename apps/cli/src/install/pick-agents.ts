import type { Agent } from '@piton/contracts';
import type { Context } from '../context.ts';
import { existingPlaces, userHome } from '../locations.ts';
import { askSelection } from '../selection/ask.ts';
import { installedVersion } from '../versions/installed-version.ts';
import { agentTitle } from './agent-title.ts';
import { chooseAgents, isInstalled } from './choice.ts';
import type { InstallScope } from './config-place.ts';

/**
 * Which agents to register, asked where there is a choice: several agents that are not registered yet. Registered ones stay, and are
 * kept up to date. Undefined if the person leaves.
 */
export async function pickAgents(context: Context, scope: InstallScope): Promise<readonly string[] | undefined> {
  const home = userHome(context);
  const { chosen, leftOut } = chooseAgents(context, [], scope, home, existingPlaces(context));
  const registered = chosen.filter((agent) => isInstalled(context, agent, scope, home));
  const isNew = (agent: Agent): boolean => !registered.includes(agent);
  const unproven = leftOut.filter((each) => each.selectable).map(({ agent }) => agent);
  const candidates = [...chosen.filter(isNew), ...unproven];
  // With one there is nothing to choose, and no name is the default of `init`.
  if (candidates.length < 2 || chosen.filter(isNew).length === 0) return [];
  const details = await Promise.all(candidates.map((agent) => detailOf(context, agent)));
  const items = candidates.map((agent, at) => ({
    ...{ id: agent.id, title: agentTitle(agent), detail: details[at] ?? '', picked: !unproven.includes(agent) },
  }));
  const picked = await askSelection(context, 'Agents found here.', items);
  if (picked === undefined || picked.length + registered.length === 0) return undefined;
  return [...registered.map(({ id }) => id), ...picked];
}

async function detailOf(context: Context, agent: Agent): Promise<string> {
  const found = await installedVersion(context, agent);
  if (found === undefined) return 'has settings here, but its program is not on your PATH';
  return found.version ?? 'version unknown';
}
