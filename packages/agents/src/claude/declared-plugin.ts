import type { OwnPlugin } from '@piton/contracts';
import { declaredLine, describePlugin, jsonFile } from '../shared/own-plugin/declared-line.ts';
import { SKILLS, skillText } from '../shared/own-plugin/skills.ts';
import { isKnownTo } from '../shared/version-class.ts';
import { registeredEvents } from './events.ts';
import { importer } from './import.ts';
import { dialect, VARIABLES } from './install.ts';
import { versions } from './versions.ts';

const DESCRIPTION = describePlugin('Claude Code');

const lineFor = (nativeEvent: string, timeoutMs: number): string =>
  declaredLine({ agent: 'claude', nativeEvent, timeoutMs, variables: VARIABLES, what: 'plugin' });

/** Every version in the table takes these events and this form: an unknown event would void all hooks, and `args` was ignored once. */
function hooksText(): string {
  const events = registeredEvents([]).filter((event) => isKnownTo(event, versions.oldest ?? undefined));
  const hooks = events.map(({ name, timeoutMs }) => [
    name,
    [{ hooks: [dialect.handler({ shell: lineFor(name, timeoutMs) }, { timeoutMs })] }],
  ]);
  return jsonFile({ description: DESCRIPTION, hooks: Object.fromEntries(hooks) });
}

/** All files of the plugin below `plugin/`, and of the marketplace at the root. Nothing in them is a program. */
export function declaredPlugin(version: string): { readonly path: string; readonly text: string }[] {
  const about = { name: 'piton', description: DESCRIPTION };
  const author = { name: 'Piton' };
  return [
    { path: 'plugin/.claude-plugin/plugin.json', text: jsonFile({ ...about, version, author, license: 'Apache-2.0' }) },
    { path: 'plugin/hooks/hooks.json', text: hooksText() },
    ...SKILLS.map((skill) => ({ path: `plugin/skills/${skill.name}/SKILL.md`, text: skillText(skill) })),
    {
      path: '.claude-plugin/marketplace.json',
      text: jsonFile({
        name: 'piton',
        owner: author,
        metadata: { description: DESCRIPTION },
        plugins: [{ ...about, source: './plugin', version }],
      }),
    },
  ];
}

export const ownPlugin: OwnPlugin = {
  what: 'plugin',
  lists: (env) => importer.plugins?.lists(env) ?? [],
  folders: (texts) => (importer.plugins?.installed(texts) ?? []).filter(({ enabled }) => enabled).map(({ root }) => root),
  note: '`piton init` also registers the events that only newer versions know',
};
