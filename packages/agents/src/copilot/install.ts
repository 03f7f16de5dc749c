import type { ConfigFile, Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { registeredEvents } from './events.ts';

const dialect: HooksDialect = {
  agent: 'copilot',
  group: null,
  version: 1,
  handler: (command, { timeoutMs }) => ({
    type: 'command',
    bash: 'shell' in command ? command.shell : command.argv.join(' '),
    timeoutSec: Math.ceil(timeoutMs / 1000),
  }),
  commandOf(handler: JsonObject): Command | undefined {
    const line = textOf(handler, 'bash');
    return line === undefined ? undefined : { shell: line };
  },
};

/** Always guarded: a program that is gone would end with 127, and a hook that fails denies every tool. */
function wantedBy(target: InstallTarget): Wanted[] {
  const place = target.scope === 'user' ? { ...target, forwarderBelowHome: null } : target;
  return registeredEvents(target.wanted).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'copilot', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: guardedForm(place, registration) };
  });
}

type Environment = Parameters<Installer['configFiles']>[1];

/** A file in Copilot CLI's own directory; relative to the home directory unless a variable moved it. */
export function ownFile(name: string, env: Environment): ConfigFile {
  const moved = env.COPILOT_HOME?.replace(/[\\/]+$/, '');
  return moved ? { path: `${moved}/${name}`, label: `${moved}/${name}` } : { path: `.copilot/${name}`, label: `~/.copilot/${name}` };
}

const FILE = 'hooks/piton.json';

export const installer: Installer = {
  configFiles: (scope, env) => (scope === 'project' ? [{ path: `.github/${FILE}`, label: `.github/${FILE}` }] : [ownFile(FILE, env)]),
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
