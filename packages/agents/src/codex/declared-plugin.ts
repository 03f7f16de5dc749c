import type { OwnPlugin } from '@piton/contracts';
import { declaredLine, describePlugin, jsonFile } from '../shared/own-plugin/declared-line.ts';
import { SKILLS, skillText } from '../shared/own-plugin/skills.ts';
import { tomlValue } from '../shared/toml/toml-edit.ts';
import { registeredEvents } from './events.ts';
import { dialect, userFile } from './install.ts';

const DESCRIPTION = describePlugin('Codex');

function hooksText(): string {
  const hooks = registeredEvents([]).map(({ name, timeoutMs }) => {
    const shell = declaredLine({ agent: 'codex', nativeEvent: name, timeoutMs, variables: [], what: 'plugin' });
    return [name, [{ hooks: [dialect.handler({ shell }, { timeoutMs })] }]];
  });
  return jsonFile({ hooks: Object.fromEntries(hooks) });
}

/** All files of the plugin below `codex-plugin/`, and of the marketplace of Codex. Nothing in them is a program. */
export function declaredPlugin(version: string): { readonly path: string; readonly text: string }[] {
  return [
    {
      path: 'codex-plugin/.codex-plugin/plugin.json',
      text: jsonFile({
        ...{ name: 'piton', version, description: DESCRIPTION, author: { name: 'Piton' }, license: 'Apache-2.0' },
        ...{ skills: './skills/', hooks: './hooks/hooks.json' },
      }),
    },
    { path: 'codex-plugin/hooks/hooks.json', text: hooksText() },
    ...SKILLS.map((skill) => ({ path: `codex-plugin/skills/${skill.name}/SKILL.md`, text: skillText(skill) })),
    {
      path: '.agents/plugins/marketplace.json',
      text: jsonFile({
        name: 'piton',
        interface: { displayName: 'Piton' },
        plugins: [
          {
            ...{ name: 'piton', source: { source: 'local', path: './codex-plugin' } },
            ...{ policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' }, category: 'Developer Tools' },
          },
        ],
      }),
    },
  ];
}

/** By the name of the marketplace in this repository. */
const ID = 'piton@piton';

export const ownPlugin: OwnPlugin = {
  what: 'plugin',
  lists: (env) => [userFile('config.toml', env)],
  folders([config = null], env) {
    const isOn =
      config !== null && tomlValue(config, ['plugins', ID, 'enabled']) === 'true' && tomlValue(config, ['features', 'plugins']) !== 'false';
    return isOn ? [userFile('plugins/cache/piton/piton', env).path] : [];
  },
  note: 'Codex runs them once you have trusted them there: start codex, type /hooks',
};
