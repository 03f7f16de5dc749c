import type { Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { registeredEvents } from './events.ts';

export const dialect: HooksDialect = {
  agent: 'qwen',
  group: {}, // no matcher: all tools, all sources
  // Seconds below 1000, milliseconds from there on, and milliseconds always in 0.22: so milliseconds it is.
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

/** There is no form without a shell; a program that is gone must not print a warning at every event. */
function wantedBy(target: InstallTarget): Wanted[] {
  return registeredEvents(target.wanted).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'qwen', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: guardedForm(target, registration) };
  });
}

export const installer: Installer = {
  configFiles(scope, env) {
    if (scope === 'project') return [{ path: '.qwen/settings.json', label: '.qwen/settings.json' }];
    const moved = env.QWEN_HOME;
    if (!moved) return [{ path: '.qwen/settings.json', label: '~/.qwen/settings.json' }];
    const path = `${moved.replace(/[\\/]+$/, '')}/settings.json`;
    return [{ path, label: path }];
  },
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
