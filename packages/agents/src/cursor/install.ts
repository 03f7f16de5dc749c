import type { Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { registeredEvents } from './events.ts';

const dialect: HooksDialect = {
  agent: 'cursor',
  group: null,
  version: 1,
  handler: (command, { timeoutMs }) => ({
    command: 'shell' in command ? command.shell : command.argv.join(' '),
    timeout: Math.ceil(timeoutMs / 1000),
  }),
  commandOf(handler: JsonObject): Command | undefined {
    const line = textOf(handler, 'command');
    return line === undefined ? undefined : { shell: line };
  },
};

/** A shell runs it in every case: older versions append the payload to the line as a here-document. */
function wantedBy(target: InstallTarget): Wanted[] {
  const place = target.scope === 'user' ? { ...target, forwarderBelowHome: null } : target;
  return registeredEvents(target.wanted).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'cursor', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: guardedForm(place, registration) };
  });
}

const FILE = '.cursor/hooks.json';

export const installer: Installer = {
  configFiles: (scope) => [{ path: FILE, label: scope === 'project' ? FILE : `~/${FILE}` }],
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
