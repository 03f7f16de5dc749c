import { join } from 'node:path';
import type { Agent } from '@piton/contracts';
import { FORWARDER_NAME } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { enabledPlugins } from '../import/plugins.ts';
import { readConfig } from '../install/config-file.ts';

/** Piton's own plugin, as the agent has taken it in: its hooks run the forwarder without a registration of `init`. */
export interface DeclaredPlugin {
  readonly agent: string;
  readonly title: string;
  readonly root: string;
}

export function declaredPlugins(context: Context, agents: readonly Agent[], home: string): DeclaredPlugin[] {
  return agents.flatMap((agent) => {
    try {
      const ours = enabledPlugins(context, agent, home).find(({ root }) => isOurs(agent, root));
      return ours ? [{ agent: agent.id, title: agent.title, root: ours.root }] : [];
    } catch (error) {
      if (error instanceof Failure) return []; // a list that cannot be read is for `import` to report
      throw error;
    }
  });
}

function isOurs(agent: Agent, root: string): boolean {
  const files = agent.importer?.plugins?.hookFiles(null) ?? [];
  return files.some(({ path }) => readConfig(join(root, path)).text?.includes(`/runtime/current/${FORWARDER_NAME} ${agent.id} `));
}

/** Where events come from: one event through both is recorded and answered once. */
export const pluginLine = ({ title, root }: DeclaredPlugin, isRegistered: boolean): string =>
  isRegistered
    ? `${title}: the plugin in ${root} is enabled beside what \`piton init\` registered. An event through both is one event`
    : `${title}: its events come through the plugin in ${root}. \`piton init\` also registers the events that only newer versions know`;
