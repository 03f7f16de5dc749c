import { type Installed, type InstallTarget, parseRegistrationArgs, type Registration, registrationArgs } from '@piton/contracts';

export type Command = Installed['command'];

/** User scope: the absolute path, without a shell. */
export const execForm = (target: InstallTarget, registration: Registration): Command => ({
  argv: [target.forwarder, ...registrationArgs(registration)],
});

/** User scope where the agent always uses a shell: a simple command, which every shell reads the same. */
export const shellForm = (target: InstallTarget, registration: Registration): Command => ({
  shell: [target.forwarder, ...registrationArgs(registration)].map(quoted).join(' '),
});

/**
 * Project scope, and where an agent has no form without a shell: a line that a repository can carry, for a POSIX shell.
 * Teammates without Piton get silence and exit 0. In user scope the path is absolute.
 * `set --` and not a variable: a variable that happens to be exported would reach the hooks changed.
 */
export function guardedForm(target: InstallTarget, registration: Registration): Command {
  const path =
    target.scope === 'user' || target.forwarderBelowHome === null
      ? quoted(target.forwarder)
      : `"$HOME"/${quoted(target.forwarderBelowHome)}`;
  const words = registrationArgs(registration).map(quoted).join(' ');
  return { shell: `set -- ${path} ${words}; [ -x "$1" ] || exit 0; exec "$@"` };
}

export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const FORWARDER_PATH = /[\\/]runtime[\\/]current[\\/]piton-forward(?:\.exe)?$/;
const FORWARDER_IN_LINE = /[\\/]runtime[\\/]current[\\/]piton-forward(?:\.exe)?['"]?((?: [\w,.:-]+){5})(?=$|[\s;])/;

/** Our own lines, of this version or an older one, by the path they start and the arguments after it. */
export function registrationOf(command: Command): Registration | undefined {
  if ('argv' in command) {
    const [path, ...args] = command.argv;
    return path !== undefined && FORWARDER_PATH.test(path) ? parseRegistrationArgs(args) : undefined;
  }
  const words = FORWARDER_IN_LINE.exec(command.shell)?.[1]?.trim().split(' ');
  return words === undefined ? undefined : parseRegistrationArgs(words);
}

/**
 * Is this a line exactly as Piton writes it? Whatever stands in a repository may hold more than the words that we know it by:
 * only such a line is run to try it.
 */
export function isWrittenByPiton({ registration, command }: Installed, target: InstallTarget): boolean {
  if ('argv' in command) return command.argv[0] === target.forwarder;
  const forms = [
    shellForm(target, registration),
    guardedForm({ ...target, scope: 'user' }, registration),
    guardedForm({ ...target, scope: 'project' }, registration),
  ];
  return forms.some((form) => 'shell' in form && form.shell === command.shell);
}

/** Hooks that were written into a configuration to run without Piton, by the folder that each runs from. */
export const MATERIALIZED = /[\\/]piton-hooks[\\/]([a-z0-9-]+)[\\/]run\.sh/;

/** Anything that Piton wrote, whichever of its commands did. */
export const isOurs = (command: Command): true | undefined =>
  registrationOf(command) !== undefined ||
  isDeclared(command) ||
  MATERIALIZED.test('shell' in command ? command.shell : command.argv.join(' '))
    ? true
    : undefined;

/** What a plugin of Piton's declares has another scope than a registration that `init` wrote, and is none. */
const isDeclared = (command: Command): boolean => 'shell' in command && FORWARDER_IN_LINE.test(command.shell);
