import type { ConfigFile, OwnPlugin } from '@piton/contracts';
import { fieldsOf } from '../shared/json-fields.ts';
import { declaredLine, describePlugin, jsonFile } from '../shared/own-plugin/declared-line.ts';
import { SKILLS, skillText } from '../shared/own-plugin/skills.ts';
import { registeredEvents } from './events.ts';
import { dialect, homeFile } from './install.ts';

function hooksText(): string {
  const hooks = registeredEvents([]).map(({ name, timeoutMs }) => {
    const shell = declaredLine({ agent: 'gemini', nativeEvent: name, timeoutMs, variables: [], what: 'extension' });
    return [name, [{ ...dialect.group, hooks: [dialect.handler({ shell }, { timeoutMs })] }]];
  });
  return jsonFile({ hooks: Object.fromEntries(hooks) });
}

/** All files of the extension below `gemini-extension/`. Nothing in them is a program. */
export const declaredPlugin = (version: string): { readonly path: string; readonly text: string }[] => [
  {
    path: 'gemini-extension/gemini-extension.json',
    text: jsonFile({ name: 'piton', version, description: describePlugin('Gemini CLI') }),
  },
  { path: 'gemini-extension/hooks/hooks.json', text: hooksText() },
  ...SKILLS.map((skill) => ({ path: `gemini-extension/skills/${skill.name}/SKILL.md`, text: skillText(skill) })),
];

const file = (name: string, env: Readonly<Record<string, string | undefined>>): ConfigFile => homeFile(`extensions/${name}`, env);

export const ownPlugin: OwnPlugin = {
  what: 'extension',
  lists: (env) => [file('extension-enablement.json', env)],
  // Each rule is a place; one that begins with `!` takes it out there, and the last one that fits counts.
  folders: ([enablement = null], env) => (rulesIn(enablement).at(-1)?.startsWith('!') === false ? [file('piton', env).path] : []),
};

function rulesIn(text: string | null): readonly string[] {
  try {
    const { overrides } = fieldsOf(fieldsOf(JSON.parse(text ?? '{}')).piton);
    return Array.isArray(overrides) ? overrides.filter((rule) => typeof rule === 'string') : [];
  } catch {
    return [];
  }
}
