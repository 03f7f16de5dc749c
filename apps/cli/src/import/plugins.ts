import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Agent, NativePlugin, PluginImporter } from '@piton/contracts';
import { ARTIFACT_FILE } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { readConfig } from '../install/config-file.ts';
import { isInside } from '../install/config-place.ts';
import type { GatheredFile } from './gather.ts';

const MOST_FILES = 2000;
const MOST_BYTES = 20 * 1024 * 1024;
const SKIPPED: ReadonlySet<string> = new Set(['.git', '__pycache__', '.DS_Store', ARTIFACT_FILE]);

/** The plugins that an agent has installed and enabled for the person. */
export function enabledPlugins(context: Context, agent: Agent, home: string): NativePlugin[] {
  const plugins = agent.importer?.plugins;
  if (plugins === undefined) return [];
  const texts = plugins.lists(context.env).map(({ path }) => readConfig(isAbsolute(path) ? path : join(home, path)).text);
  return plugins.installed(texts).filter(({ enabled }) => enabled);
}

/** The hooks of those. */
export function gatherInstalled(context: Context, agent: Agent, home: string): GatheredFile[] {
  const plugins = agent.importer?.plugins;
  return plugins === undefined ? [] : enabledPlugins(context, agent, home).flatMap((plugin) => filesOf(agent, plugins, plugin));
}

/** The hooks of a plugin, or of all plugins of a marketplace, in a folder that the person names. */
export function gatherNamed(agents: readonly Agent[], folder: string): GatheredFile[] {
  for (const agent of agents) {
    const plugins = agent.importer?.plugins;
    if (plugins === undefined) continue;
    const market = readConfig(join(folder, plugins.marketplace)).text;
    if (market !== null) return plugins.listed(market).flatMap((one) => fromMarket(agent, plugins, folder, one));
    const files = filesOf(agent, plugins, { name: nameIn(folder, plugins), root: folder, enabled: false });
    if (files.length > 0) return files;
  }
  throw new Failure('no hooks of a plugin are there', {
    where: folder,
    remedy: 'name the folder of a plugin (with hooks/hooks.json) or of a marketplace',
  });
}

type Listed = ReturnType<PluginImporter['listed']>[number];

function fromMarket(agent: Agent, plugins: PluginImporter, market: string, { name, folder, why }: Listed): GatheredFile[] {
  const file = join(market, plugins.marketplace);
  const cannot = (reason: string): GatheredFile[] => [
    {
      ...{ agent, path: file, label: file, hooks: [] },
      left: [{ place: { nativeEvent: '', path: name, line: 1 }, what: `the plugin ${name}`, why: reason }],
    },
  ];
  if (folder === undefined) return cannot(why ?? 'it has no folder');
  const root = join(market, folder);
  if (!isInside(root, market)) return cannot('its folder is outside of the marketplace');
  return filesOf(agent, plugins, { name, root, enabled: false });
}

function nameIn(root: string, { manifest }: PluginImporter): string {
  try {
    const { name } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { name?: unknown };
    if (typeof name === 'string' && name !== '') return name;
  } catch {
    // It has none: its folder names it.
  }
  return root.replace(/\/+$/, '').split('/').at(-1) || 'plugin';
}

function filesOf(agent: Agent, plugins: PluginImporter, plugin: NativePlugin): GatheredFile[] {
  const { root } = plugin;
  return plugins.hookFiles(readConfig(join(root, plugins.manifest)).text).flatMap(({ path, text: inline }): GatheredFile[] => {
    const file = join(root, path);
    const text = inline ?? (isInside(file, root) ? readConfig(file).text : null);
    if (text === null) return [];
    const found = { agent, path: file, label: `${plugin.name}/${path}`, plugin };
    const result = plugins.read(text);
    if (!result.ok) return [{ ...found, hooks: [], left: [], error: result.error }];
    return result.hooks.length + result.left.length === 0 ? [] : [{ ...found, hooks: result.hooks, left: result.left }];
  });
}

export interface PluginFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
}

/** All regular files of a plugin, or why it cannot be copied. Links are left out: they may lead anywhere. */
export function pluginTree(root: string): readonly PluginFile[] | { readonly why: string } {
  const real = realRoot(root);
  const files: PluginFile[] = [];
  let bytes = 0;
  const walk = (folder: string): string | undefined => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (SKIPPED.has(entry.name)) continue;
      if (entry.isDirectory()) {
        const why = walk(path);
        if (why !== undefined) return why;
      }
      if (!entry.isFile()) continue;
      const { size, mode } = statSync(path);
      bytes += size;
      if (files.length >= MOST_FILES || bytes > MOST_BYTES) return 'its plugin is larger than 20 MB or 2,000 files';
      files.push({ path: relative(real, path), bytes: readFileSync(path), executable: (mode & 0o111) !== 0 });
    }
    return undefined;
  };
  try {
    const why = walk(real);
    return why === undefined ? files : { why };
  } catch (error) {
    return { why: `its plugin cannot be read: ${(error as Error).message}` };
  }
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}
