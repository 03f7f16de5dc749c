import type { Installer, InstallTarget, JsonObject, Registration } from '@piton/contracts';
import { type Command, execForm, guardedForm, shellForm } from '../shared/command-line.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from '../shared/hooks-file/hooks-config.ts';
import { textOf } from '../shared/json-fields.ts';
import { isKnownTo } from '../shared/version-class.ts';
import { registeredEvents } from './events.ts';
import { asRun, takesArgs } from './versions.ts';

/** Variables of Claude Code's that the decoder or `attended` reads. */
export const VARIABLES: readonly string[] = ['CLAUDE_CODE_SESSION_ATTENDED'];

export const dialect: HooksDialect = {
  agent: 'claude',
  group: {}, // no matcher: all tools, all sources
  handler(command, { timeoutMs }) {
    // Whole seconds, rounded up: our own deadline in the arguments is the one that counts.
    const timeout = Math.ceil(timeoutMs / 1000);
    if ('shell' in command) return { type: 'command', command: command.shell, timeout };
    const [path, ...args] = command.argv;
    return { type: 'command', command: path, args, timeout };
  },
  commandOf(handler: JsonObject): Command | undefined {
    const command = textOf(handler, 'command');
    if (handler.type !== 'command' || command === undefined) return undefined;
    const { args } = handler;
    if (args === undefined) return { shell: command };
    return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? { argv: [command, ...args] } : undefined;
  },
};

function wantedBy(target: InstallTarget): Wanted[] {
  const userForm = takesArgs(target.version) ? execForm : shellForm;
  const known = registeredEvents(target.wanted).filter((event) => isKnownTo(event, target.version));
  return known.map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'claude', nativeEvent: name, scope: target.scope, timeoutMs, variables: VARIABLES };
    return { registration, command: target.scope === 'user' ? userForm(target, registration) : guardedForm(target, registration) };
  });
}

export const installer: Installer = {
  configFiles(scope, env) {
    if (scope === 'project') return [{ path: '.claude/settings.json', label: '.claude/settings.json' }];
    const moved = env.CLAUDE_CONFIG_DIR;
    if (!moved) return [{ path: '.claude/settings.json', label: '~/.claude/settings.json' }];
    const path = `${moved.replace(/[\\/]+$/, '')}/settings.json`;
    return [{ path, label: path }];
  },
  install: (text, target) => installHooks(text, wantedBy(target), dialect),
  uninstall: (text) => uninstallHooks(text, dialect),
  installed: (text) => installedHooks(text, dialect),
  asRun,
};
