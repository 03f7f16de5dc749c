import type { Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm, quoted, shellForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { EVENTS } from './events.ts';

export const dialect: HooksDialect = {
  agent: 'droid',
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

function wantedBy(target: InstallTarget): Wanted[] {
  return EVENTS.map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'droid', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: target.scope === 'user' ? shellForm(target, registration) : guardedForm(target, registration) };
  });
}

/**
 * In `settings.json` and not in `hooks.json`, which Droid also reads: there an event stands in the way of the same event
 * in the settings, so a new file of ours could silence hooks of the user's.
 */
export const installer: Installer = {
  configFiles: (scope) => [{ path: '.factory/settings.json', label: `${scope === 'user' ? '~/' : ''}.factory/settings.json` }],
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
