import type { ConfigFile, Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { registeredEvents } from './events.ts';

export const dialect: HooksDialect = {
  agent: 'gemini',
  group: { matcher: '*' },
  // Milliseconds here, unlike everywhere else. The name is what `hooksConfig.disabled` and `/hooks` call it by.
  handler: (command, { timeoutMs }) => ({
    type: 'command',
    name: 'piton',
    command: 'shell' in command ? command.shell : command.argv.join(' '),
    timeout: timeoutMs,
  }),
  commandOf(handler: JsonObject): Command | undefined {
    const command = textOf(handler, 'command');
    return handler.type === 'command' && command !== undefined ? { shell: command } : undefined;
  },
};

/** There is no form without a shell, and a program that is gone would deny: bash ends with 127 and says so on stderr. */
function wantedBy(target: InstallTarget): Wanted[] {
  return registeredEvents(target.wanted).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'gemini', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: guardedForm(target, registration) };
  });
}

export const installer: Installer = {
  configFiles(scope, env) {
    if (scope === 'project') return [{ path: '.gemini/settings.json', label: '.gemini/settings.json' }];
    return [homeFile('settings.json', env)];
  },
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};

/** A file in Gemini's directory of the user. `GEMINI_CLI_HOME` stands for the home directory, not for the folder in it. */
export function homeFile(name: string, { GEMINI_CLI_HOME: moved }: Readonly<Record<string, string | undefined>>): ConfigFile {
  const path = `${moved ? `${moved.replace(/[\\/]+$/, '')}/` : ''}.gemini/${name}`;
  return { path, label: moved ? path : `~/${path}` };
}
