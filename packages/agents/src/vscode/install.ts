import type { Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { EVENTS } from './events.ts';

const dialect: HooksDialect = {
  agent: 'vscode',
  group: null,
  version: 1,
  handler: (command, { timeoutMs }) => ({
    type: 'command',
    command: 'shell' in command ? command.shell : command.argv.join(' '),
    timeout: Math.ceil(timeoutMs / 1000),
  }),
  commandOf(handler: JsonObject): Command | undefined {
    const line = textOf(handler, 'command');
    return line === undefined ? undefined : { shell: line };
  },
};

/** Always guarded: Copilot CLI runs the same files, and a hook that fails there denies every tool. */
function wantedBy(target: InstallTarget): Wanted[] {
  const place = target.scope === 'user' ? { ...target, forwarderBelowHome: null } : target;
  return EVENTS.map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'vscode', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: guardedForm(place, registration) };
  });
}

const FILE = 'hooks/piton-vscode.json';

export const installer: Installer = {
  configFiles: (scope) =>
    scope === 'project'
      ? [{ path: `.github/${FILE}`, label: `.github/${FILE}` }]
      : [{ path: `.copilot/${FILE}`, label: `~/.copilot/${FILE}` }],
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
