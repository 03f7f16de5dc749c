import type { ConfigFile, Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, guardedForm, quoted, shellForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { isKnownTo } from '../shared/version-class.ts';
import { registeredEvents } from './events.ts';

export const dialect: HooksDialect = {
  agent: 'codex',
  group: {}, // no matcher: all tools, all sources
  // Nothing more: Codex trusts a hook by the hash of these fields.
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
  const known = registeredEvents(target.wanted).filter((event) => isKnownTo(event, target.version));
  return known.map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'codex', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    return { registration, command: target.scope === 'user' ? shellForm(target, registration) : guardedForm(target, registration) };
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A file in Codex's own directory of the user. */
export function userFile(name: string, env: Environment): ConfigFile {
  const moved = env.CODEX_HOME;
  if (!moved) return { path: `.codex/${name}`, label: `~/.codex/${name}` };
  const path = `${moved.replace(/[\\/]+$/, '')}/${name}`;
  return { path, label: path };
}

export const installer: Installer = {
  configFiles: (scope, env) =>
    scope === 'project' ? [{ path: '.codex/hooks.json', label: '.codex/hooks.json' }] : [userFile('hooks.json', env)],
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
};
