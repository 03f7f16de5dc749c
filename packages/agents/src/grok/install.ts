import type { ConfigFile, Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm, quoted, shellForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { registeredEvents } from './events.ts';

export const dialect: HooksDialect = {
  agent: 'grok',
  group: {}, // no matcher: all tools, all sources
  handler: (command, { timeoutMs }) => ({
    type: 'command',
    command: 'shell' in command ? command.shell : command.argv.map(quoted).join(' '),
    timeout: Math.ceil(timeoutMs / 1000),
  }),
  commandOf(handler: JsonObject): Command | undefined {
    const command = textOf(handler, 'command');
    return handler.type === 'command' && command !== undefined ? { shell: command } : undefined;
  },
};

/** A file in Grok Build's own directory; relative to the home directory unless a variable moved it. */
export function userFile(name: string, env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const moved = env.GROK_HOME?.replace(/[\\/]+$/, '');
  return moved ? { path: `${moved}/${name}`, label: `${moved}/${name}` } : { path: `.grok/${name}`, label: `~/.grok/${name}` };
}

function wantedBy(target: InstallTarget): Wanted[] {
  return registeredEvents(target.wanted).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'grok', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: target.scope === 'user' ? shellForm(target, registration) : guardedForm(target, registration) };
  });
}

const FILE = 'hooks/piton.json';

export const installer: Installer = {
  configFiles: (scope, env) => (scope === 'project' ? [{ path: `.grok/${FILE}`, label: `.grok/${FILE}` }] : [userFile(FILE, env)]),
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
