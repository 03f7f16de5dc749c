import type { Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, execForm, guardedForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { isKnownTo } from '../shared/version-class.ts';
import { EVENTS } from './events.ts';

export const dialect: HooksDialect = {
  agent: 'auggie',
  group: {}, // no matcher: all tools, those of servers included, which `.*` alone would match as well
  handler(command, { timeoutMs }) {
    // Milliseconds here.
    if ('shell' in command) return { type: 'command', command: command.shell, timeout: timeoutMs };
    const [path, ...args] = command.argv;
    return { type: 'command', command: path, args, timeout: timeoutMs };
  },
  commandOf(handler: JsonObject): Command | undefined {
    const command = textOf(handler, 'command');
    if (handler.type !== 'command' || command === undefined) return undefined;
    const { args } = handler;
    if (args === undefined) return { shell: command };
    return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? { argv: [command, ...args] } : undefined;
  },
};

/** With `args` it starts the program itself; a line with signs of a shell in it goes to `bash`. */
function wantedBy(target: InstallTarget): Wanted[] {
  return EVENTS.filter((event) => isKnownTo(event, target.version)).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'auggie', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: target.scope === 'user' ? execForm(target, registration) : guardedForm(target, registration) };
  });
}

export const installer: Installer = {
  configFiles: (scope) => [{ path: '.augment/settings.json', label: `${scope === 'user' ? '~/' : ''}.augment/settings.json` }],
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
