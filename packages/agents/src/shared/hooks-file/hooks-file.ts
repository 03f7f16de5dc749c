import type { Installer, InstallTarget, NativeEvent } from '@piton/contracts';
import { guardedForm } from '../command-line.ts';
import { textOf } from '../json-fields.ts';
import { type HooksDialect, installedHooks, installHooks, uninstallHooks, type Wanted } from './hooks-config.ts';

/** A file `{ version: 1, hooks: { event: [handler] } }` whose handlers are lines for a shell. */
export interface HooksFile {
  readonly agent: string;
  /** The fields of a handler that hold its line and its timeout in seconds. */
  readonly line: string;
  readonly timeout: string;
  /** What else stands in a handler. */
  readonly handler: Readonly<Record<string, string>>;
  events(wanted: readonly string[]): readonly NativeEvent[];
}

export const hooksFileDialect = (file: Omit<HooksFile, 'events'>): HooksDialect => ({
  agent: file.agent,
  group: null,
  version: 1,
  handler: (command, { timeoutMs }) => ({
    ...file.handler,
    [file.line]: 'shell' in command ? command.shell : command.argv.join(' '),
    [file.timeout]: Math.ceil(timeoutMs / 1000),
  }),
  commandOf(handler) {
    const line = textOf(handler, file.line);
    return line === undefined ? undefined : { shell: line };
  },
});

/** The line is guarded in both scopes: where a hook that fails denies, a missing program would deny everything. */
export function hooksFileInstaller(file: HooksFile): Omit<Installer, 'configFiles'> {
  const dialect = hooksFileDialect(file);
  return {
    install: (text, target) => installHooks(text, wantedBy(file, target), dialect),
    uninstall: (text) => uninstallHooks(text, dialect),
    installed: (text) => installedHooks(text, dialect),
  };
}

function wantedBy({ agent, events }: HooksFile, target: InstallTarget): Wanted[] {
  const { scope } = target;
  const place = scope === 'user' ? { ...target, forwarderBelowHome: null } : target;
  return events(target.wanted).map(({ name, timeoutMs }) => {
    const registration = { agent, nativeEvent: name, scope, timeoutMs, variables: [] };
    return { registration, command: guardedForm(place, registration) };
  });
}
