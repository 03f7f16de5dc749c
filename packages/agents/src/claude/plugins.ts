import type { JsonObject, NativePlugin, PluginImporter } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { type Carry, importHooks } from '../shared/import/hooks-import.ts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { parseText } from '../shared/jsonc/jsonc-text.ts';

const HOOKS = 'hooks/hooks.json';

/** As Claude Code 2.1.325 keeps them: `plugins/installed_plugins.json`, and `enabledPlugins` in the settings. */
export const pluginImporter = (carry: Carry): PluginImporter => ({
  manifest: '.claude-plugin/plugin.json',
  marketplace: '.claude-plugin/marketplace.json',
  lists(env) {
    const moved = env.CLAUDE_CONFIG_DIR?.replace(/[\\/]+$/, '');
    const at = (name: string) => ({ path: `${moved || '.claude'}/${name}`, label: `${moved || '~/.claude'}/${name}` });
    return [at('plugins/installed_plugins.json'), at('settings.json'), at('settings.local.json')];
  },
  installed([list = null, ...settings]) {
    const enabled = Object.assign({}, ...settings.map((text) => fieldsOf(objectIn(text).enabledPlugins))) as JsonObject;
    return Object.entries(fieldsOf(objectIn(list).plugins)).flatMap(([id, entries]) =>
      (Array.isArray(entries) ? entries : [entries]).flatMap((entry): NativePlugin[] => {
        const fields = fieldsOf(entry);
        const root = textOf(fields, 'installPath');
        // One for a single project is that project's.
        return root === undefined || (fields.scope !== undefined && fields.scope !== 'user')
          ? []
          : [{ name: id.split('@')[0] ?? id, root, enabled: enabled[id] === true }];
      }),
    );
  },
  hookFiles(manifest) {
    const { hooks } = objectIn(manifest);
    const named = (Array.isArray(hooks) ? hooks : [hooks]).flatMap((one) => {
      if (typeof one === 'string') return [{ path: one.replace(/^\.\//, '') }];
      return isObject(one)
        ? [{ path: '.claude-plugin/plugin.json', text: JSON.stringify(isObject(one.hooks) ? one : { hooks: one }) }]
        : [];
    });
    // The default file counts beside those that the manifest names.
    return [{ path: HOOKS }, ...named.filter(({ path }) => path !== HOOKS)];
  },
  listed(marketplace) {
    const { plugins, metadata } = objectIn(marketplace);
    const base = textOf(fieldsOf(metadata), 'pluginRoot')?.replace(/^\.\//, '');
    return (Array.isArray(plugins) ? plugins.filter(isObject) : []).map((plugin) => {
      const [name, source] = [textOf(plugin, 'name') ?? 'a plugin without a name', textOf(plugin, 'source')];
      if (source === undefined) return { name, why: 'it lies elsewhere: install it, or name its folder' };
      return { name, folder: source.startsWith('.') || base === undefined ? source : `${base}/${source}` };
    });
  },
  read: (text) => importHooks(text, carry),
  prelude: (name, root) =>
    [
      `export CLAUDE_PLUGIN_ROOT="${root}"`,
      `export CLAUDE_PLUGIN_DATA="\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/plugins/data/${name.replace(/[^\w-]/g, '-')}"`,
      'mkdir -p "$CLAUDE_PLUGIN_DATA"',
    ].join('\n'),
});

function objectIn(text: string | null): JsonObject {
  const parsed = text === null ? undefined : parseText(text.replace(/^\uFEFF/, ''));
  return parsed?.ok ? fieldsOf(getNodeValue(parsed.root)) : {};
}
