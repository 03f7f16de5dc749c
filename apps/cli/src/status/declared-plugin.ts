import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Agent } from '@piton/contracts';
import { FORWARDER_NAME } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { readConfig } from '../install/config-file.ts';

/** Piton's own plugin, as the agent has taken it in: its hooks run the forwarder without a registration of `init`. */
export interface DeclaredPlugin {
  readonly agent: string;
  readonly title: string;
  readonly what: string;
  readonly root: string;
  readonly note?: string;
}

const HOOKS = join('hooks', 'hooks.json');

export function declaredPlugins(context: Context, agents: readonly Agent[], home: string): DeclaredPlugin[] {
  return agents.flatMap((agent): DeclaredPlugin[] => {
    const { id, title, ownPlugin } = agent;
    if (ownPlugin === undefined) return [];
    try {
      const root = rootOf(context, agent, home);
      const { what, note } = ownPlugin;
      return root === undefined ? [] : [{ agent: id, title, what, root, ...(note !== undefined && { note }) }];
    } catch (error) {
      if (error instanceof Failure) return []; // a list that cannot be read is for `import` to report
      throw error;
    }
  });
}

function rootOf(context: Context, { id, ownPlugin }: Agent, home: string): string | undefined {
  const from = (path: string): string => (isAbsolute(path) ? path : join(home, path));
  const texts = ownPlugin?.lists(context.env).map(({ path }) => readConfig(from(path)).text) ?? [];
  const folders = (ownPlugin?.folders(texts, context.env) ?? []).map(from);
  const isOurs = (folder: string): boolean =>
    readConfig(join(folder, HOOKS)).text?.includes(`/runtime/current/${FORWARDER_NAME} ${id} `) === true;
  return folders.flatMap((folder) => [folder, ...foldersIn(folder)]).find(isOurs);
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** Where events come from: one event through both is recorded and answered once. */
export const pluginLine = ({ title, what, root, note }: DeclaredPlugin, isRegistered: boolean): string =>
  isRegistered
    ? `${title}: the ${what} in ${root} is enabled beside what \`piton init\` registered. An event through both is one event`
    : `${title}: its events come through the ${what} in ${root}.${note === undefined ? '' : ` ${note}`}`;
