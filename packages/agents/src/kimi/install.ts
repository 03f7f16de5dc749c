import type { ConfigFile, ConfigResult, Installed, Installer, InstallTarget, Registration } from '@piton/contracts';
import { guardedForm, registrationOf } from '../shared/command-line.ts';
import { textOf } from '../shared/json-fields.ts';
import { registeredEvents } from './events.ts';
import { type HookTable, hookTables, withoutTable, withTable } from './toml-hooks.ts';

/** A file in Kimi Code's own directory; relative to the home directory unless a variable moved it. */
export function userFile(name: string, env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const moved = env.KIMI_CODE_HOME?.replace(/[\\/]+$/, '');
  return moved ? { path: `${moved}/${name}`, label: `${moved}/${name}` } : { path: `.kimi-code/${name}`, label: `~/.kimi-code/${name}` };
}

/** The fields of a table: a further one, and nothing of the whole file is read. */
export interface TableFields extends Readonly<Record<string, string | number>> {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

interface Wanted {
  readonly registration: Registration;
  readonly fields: TableFields;
}

/** It runs every command in a shell, and one that is gone must say nothing: at a prompt the model would read it. */
function wantedBy(target: InstallTarget): Wanted[] {
  return registeredEvents(target.wanted).map(({ name, timeoutMs }) => {
    const registration: Registration = { agent: 'kimi', nativeEvent: name, scope: target.scope, timeoutMs, variables: [] };
    const line = guardedForm(target, registration);
    return { registration, fields: { event: name, command: 'shell' in line ? line.shell : '', timeout: Math.ceil(timeoutMs / 1000) } };
  });
}

interface Found extends HookTable {
  readonly installed: Installed;
}

function find(text: string): { ok: true; found: Found[] } | { ok: false; error: string } {
  const read = hookTables(text);
  if (!read.ok) return read;
  return {
    ok: true,
    found: read.tables.flatMap((table) => {
      const shell = textOf(table.fields, 'command');
      const registration = shell === undefined ? undefined : registrationOf({ shell });
      return shell === undefined || registration?.agent !== 'kimi' ? [] : [{ ...table, installed: { registration, command: { shell } } }];
    }),
  };
}

/** What a person added to a table of ours, such as a matcher, is theirs. */
const covers = ({ fields }: HookTable, wanted: TableFields): boolean =>
  Object.entries(wanted).every(([key, value]) => fields[key] === value);

/** Without these tables of ours, from the last one on, so that those before it stay where they are. */
function without(text: string | null, surplus: readonly Found[]): string | null {
  return [...surplus].reverse().reduce<string | null>((rest, table) => (rest === null ? null : withoutTable(rest, table)), text);
}

function install(original: string | null, target: InstallTarget): ConfigResult {
  const read = find(original ?? '');
  if (!read.ok) return read;
  const wanted = wantedBy(target);
  const first = (fields: TableFields): Found | undefined => read.found.find((table) => covers(table, fields));
  const surplus = read.found.filter((table) => !wanted.some(({ fields }) => first(fields) === table));
  const missing = wanted.filter(({ fields }) => first(fields) === undefined);
  const text = missing.reduce<string | null>((so, { fields }) => withTable(so, fields), without(original, surplus));
  return {
    ok: true,
    edit: {
      text,
      added: missing.map(({ registration }) => registration),
      removed: surplus.map(({ installed }) => installed.registration),
    },
  };
}

function uninstall(original: string): ConfigResult {
  const read = find(original);
  // What cannot be read has nothing of ours, unless it names us.
  if (!read.ok) return original.includes('piton-forward') ? read : { ok: true, edit: { text: original, added: [], removed: [] } };
  return {
    ok: true,
    edit: { text: without(original, read.found), added: [], removed: read.found.map(({ installed }) => installed.registration) },
  };
}

const FILE = 'config.toml';

export const installer: Installer = {
  userOnly: 'Kimi Code has hooks of its user, and none of a repository',
  configFiles: (_scope, env) => [userFile(FILE, env)],
  install,
  uninstall,
  installed(text) {
    const read = find(text);
    return read.ok ? read.found.map(({ installed }) => installed) : [];
  },
};
