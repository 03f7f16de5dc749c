import type { ConfigResult, Installed, JsonObject, Registration } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { type Command, isOurs, registrationOf } from '../command-line.ts';
import { oneLine, replaceValue } from '../jsonc/jsonc-edit.ts';
import { parseText } from '../jsonc/jsonc-text.ts';
import {
  addEntry,
  type EntriesDialect,
  type FoundEntry,
  findEntries,
  problemOf,
  removeEntry,
  splitBom,
  withoutVersion,
  withVersion,
} from './hooks-entries.ts';

/** A configuration of the form `hooks: { Event: [{ …, hooks: [handler] }] }`, or of handlers without groups, which several agents share. */
export interface HooksDialect extends EntriesDialect {
  readonly agent: string;
  /** The handler that runs a command; `commandOf` is the reverse. */
  handler(command: Command, limits: Pick<Registration, 'timeoutMs'>): JsonObject;
}

export interface Wanted {
  readonly registration: Registration;
  readonly command: Command;
}

type Found = FoundEntry<Registration> & { readonly registration: Registration };

function find(text: string, dialect: HooksDialect): Found[] {
  const ours = (command: Command): Registration | undefined => {
    const registration = registrationOf(command);
    return registration?.agent === dialect.agent ? registration : undefined;
  };
  return findEntries(text, dialect, ours).map((found) => ({ ...found, registration: found.mark }));
}

export function installHooks(original: string | null, wanted: readonly Wanted[], dialect: HooksDialect): ConfigResult {
  const [bom, body] = splitBom(original ?? '');
  const problem =
    body.trim() === ''
      ? undefined
      : problemOf(
          body,
          wanted.map(({ registration }) => registration.nativeEvent),
        );
  if (problem !== undefined) return { ok: false, error: problem };
  const added: Registration[] = [];
  const removed: Registration[] = [];
  let text = withoutVersion(body, dialect);
  let closing = original === null ? '\n' : '';

  for (let surplus = surplusOf(find(text, dialect), wanted); surplus !== undefined; surplus = surplusOf(find(text, dialect), wanted)) {
    removed.push(surplus.registration);
    const rest = removeEntry(text, surplus);
    if (rest === null) closing = '\n';
    text = rest ?? '';
  }
  let read = { text, ours: find(text, dialect) };
  for (const want of wanted) {
    const handler = dialect.handler(want.command, want.registration);
    if (read.text !== text) read = { text, ours: find(text, dialect) };
    const found = read.ours.find((other) => isSame(other, want));
    if (found === undefined) text = addEntry(text, want.registration.nativeEvent, entryOf(dialect, handler));
    else if (covers(getNodeValue(found.handler), handler)) continue;
    else {
      removed.push(found.registration);
      text = replaceValue(text, found.handler, oneLine(handler));
    }
    added.push(want.registration);
  }
  if (added.length + removed.length === 0) return { ok: true, edit: { text: original, added, removed } };
  return { ok: true, edit: { text: bom + withVersion(text, dialect) + closing, added, removed } };
}

/** What stands in the list of an event. */
export const entryOf = ({ group }: EntriesDialect, handler: JsonObject): JsonObject =>
  group === null ? handler : { ...group, hooks: [handler] };

/** One of ours that should not be there: of an event that is not wanted, in the wrong place, or there twice. */
function surplusOf(ours: readonly Found[], wanted: readonly Wanted[]): Found | undefined {
  return ours.findLast(
    (found, at) =>
      !wanted.some((want) => isSame(want, found)) ||
      found.place !== found.registration.nativeEvent ||
      ours.slice(0, at).some((earlier) => isSame(earlier, found)),
  );
}

export function uninstallHooks(original: string, dialect: HooksDialect): ConfigResult {
  const [bom, body] = splitBom(original);
  if (body.trim() === '') return { ok: true, edit: { text: original, added: [], removed: [] } };
  const parsed = parseText(body);
  if (!parsed.ok) return { ok: false, error: parsed.error };
  const removed: Registration[] = [];
  if (find(body, dialect).length === 0) return { ok: true, edit: { text: original, added: [], removed } };
  let text = withoutVersion(body, dialect);
  for (let last = find(text, dialect).at(-1); last !== undefined; last = find(text, dialect).at(-1)) {
    removed.unshift(last.registration);
    const rest = removeEntry(text, last);
    if (rest === null) return { ok: true, edit: { text: null, added: [], removed } };
    text = rest;
  }
  // Hooks that run without Piton may stand in the same file, and need the number of its format.
  const whole = findEntries(text, dialect, isOurs).length > 0 && text !== body ? withVersion(text, dialect) : text;
  return { ok: true, edit: { text: bom + whole, added: [], removed } };
}

export function installedHooks(text: string, dialect: HooksDialect): Installed[] {
  return find(splitBom(text)[1], dialect).map(({ registration, command }) => ({ registration, command }));
}

const isSame = (a: { readonly registration: Registration }, b: { readonly registration: Registration }): boolean =>
  a.registration.nativeEvent === b.registration.nativeEvent;

/** Fields that somebody added to our handler are theirs and stay. */
const covers = (there: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([key, value]) => JSON.stringify(there[key]) === JSON.stringify(value));
