import {
  type ConfigFile,
  type ConfigResult,
  type Installed,
  type Installer,
  type InstallTarget,
  type NativeEvent,
  parseRegistrationArgs,
  type Registration,
  registrationArgs,
} from '@piton/contracts';

/** How an agent that runs plugins wants its file. */
export interface PluginDialect {
  readonly agent: string;
  readonly title: string;
  readonly events: readonly NativeEvent[];
  configFiles: Installer['configFiles'];
  /** The export by which the agent finds the plugin, around a function of one argument and this body. */
  exported(body: string): string;
}

const MARK = '// Written by Piton';
const ROW = /^ {2}(\[".*"\]),$/gm;
const FORWARDER = /^const forwarder = (?:process\.env\.HOME \+ "\/" \+ )?(".*");$/m;

/**
 * One file, wholly ours, that a repository can carry: it names what is registered, and loads the program that came with
 * Piton. So it changes when the registrations do, not with every version; where Piton is not installed it does nothing.
 */
export function pluginInstaller(dialect: PluginDialect): Installer {
  return {
    configFiles: dialect.configFiles,
    install(text, target, file) {
      if (text !== null && !isOurs(text)) return foreign(file);
      const wanted = registrationsFor(dialect, target);
      const written = pluginText(dialect, target, wanted);
      const before = text === null ? [] : rowsIn(text);
      if (text === written) return edited(text, [], []);
      return edited(written, without(wanted, text === null ? [] : sameLine(before, text, target)), without(before, wanted));
    },
    uninstall: (text) => (isOurs(text) ? edited(null, [], rowsIn(text)) : edited(text, [], [])),
    isEdited: (text, target) => isOurs(text) && bare(text) !== bare(pluginText(dialect, target, rowsIn(text))),
    installed: (text, target) => (isOurs(text) ? rowsIn(text).map((registration) => installedAs(registration, text, target)) : []),
  };
}

/** Also where a person wrote something before the mark, or took it out. */
const isOurs = (text: string): boolean => text.startsWith(MARK) || (rowsIn(text).length > 0 && forwarderIn(text) !== undefined);
/** Without where the forwarder lies, which is another in each home. */
const bare = (text: string): string => text.replace(FORWARDER, '');
const edited = (text: string | null, added: readonly Registration[], removed: readonly Registration[]): ConfigResult => ({
  ok: true,
  edit: { text, added, removed },
});
const foreign = (file: ConfigFile): ConfigResult => ({
  ok: false,
  error: `${file.label} was not written by Piton`,
});

function registrationsFor({ agent, events }: PluginDialect, target: InstallTarget): Registration[] {
  const wanted = events.filter(({ name, event, costly }) => target.wanted.includes(name) || (event !== 'other' && costly === undefined));
  return wanted.map(({ name, timeoutMs }) => ({ agent, nativeEvent: name, scope: target.scope, timeoutMs, variables: [] }));
}

function pluginText(dialect: PluginDialect, target: InstallTarget, registrations: readonly Registration[]): string {
  const { scope, forwarder, forwarderBelowHome } = target;
  const path =
    scope === 'user' || forwarderBelowHome === null
      ? JSON.stringify(forwarder)
      : `process.env.HOME + "/" + ${JSON.stringify(forwarderBelowHome)}`;
  const rows = registrations.map((registration) => `  ${JSON.stringify(registrationArgs(registration))},\n`).join('');
  const body = `{
  try {
    const { start } = await import(pathToFileURL(forwarder.replace(/piton-forward(\\.exe)?$/, ${JSON.stringify(`plugins/${dialect.agent}.mjs`)})).href);
    return start(host, { forwarder, registrations });
  } catch {
    return {}; // Piton is not here
  }
}`;
  return `${MARK} (piton init): it tells Piton of the events of ${dialect.title}, inside of it. Without Piton it does nothing.
// Please do not edit: piton init writes it anew, piton uninstall removes it.
import { pathToFileURL } from "node:url";

const forwarder = ${path};
const registrations = [
${rows}];

${dialect.exported(body)}
`;
}

function rowsIn(text: string): Registration[] {
  return [...text.matchAll(ROW)].flatMap(([, row = '']) => parseRow(row) ?? []);
}

function parseRow(row: string): Registration | undefined {
  try {
    const words: unknown = JSON.parse(row);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? parseRegistrationArgs(words) : undefined;
  } catch {
    return undefined;
  }
}

const key = (registration: Registration): string => registrationArgs(registration).join(' ');
function without(all: readonly Registration[], some: readonly Registration[]): Registration[] {
  const known = new Set(some.map(key));
  return all.filter((one) => !known.has(key(one)));
}

/** Rows that stand as they are, unless the forwarder has moved: then each is new. */
const sameLine = (before: readonly Registration[], text: string, target: InstallTarget): readonly Registration[] =>
  [target.forwarder, target.forwarderBelowHome].includes(forwarderIn(text) ?? '') ? before : [];

function forwarderIn(text: string): string | undefined {
  const found = FORWARDER.exec(text)?.[1];
  try {
    return found === undefined ? undefined : (JSON.parse(found) as string);
  } catch {
    return undefined;
  }
}

/** What a plugin runs when a process is needed, and what proves that the event would arrive. */
function installedAs(registration: Registration, text: string, target: InstallTarget): Installed {
  const named = forwarderIn(text);
  const forwarder = named === undefined || named === target.forwarderBelowHome ? target.forwarder : named;
  return { registration, command: { argv: [forwarder, ...registrationArgs(registration)] } };
}
