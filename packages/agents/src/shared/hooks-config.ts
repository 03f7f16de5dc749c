import type { ConfigResult, Installed, JsonObject, Registration } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { type Command, registrationOf } from './command-line.ts';
import { appendItem, isOurContainer, oneLine, removeItem, replaceValue } from './jsonc-edit.ts';
import { endOf, indentStepOf, itemOf, lineBreakOf, memberOf, type Node, parseText, positionOf } from './jsonc-text.ts';

/** A configuration of the form `hooks: { Event: [{ …, hooks: [handler] }] }`, or of handlers without groups, which several agents share. */
export interface HooksDialect {
  readonly agent: string;
  /** The handler that runs a command, and the reverse. */
  handler(command: Command, registration: Registration): JsonObject;
  commandOf(handler: JsonObject): Command | undefined;
  /** What stands beside `hooks` in a group of ours, such as a matcher for all; null where the handlers stand in the event's list themselves. */
  readonly group: JsonObject | null;
  /** The number of the format that the whole file must name. */
  readonly version?: number;
}

export interface Wanted {
  readonly registration: Registration;
  readonly command: Command;
}

interface Found extends Installed {
  /** The event under which it stands. */
  readonly place: string;
  readonly handler: Node;
  /** What stands in the event's list: a group, or the handler itself. */
  readonly entry: Node;
}

const BOM = '\uFEFF';
const splitBom = (text: string): [string, string] => (text.startsWith(BOM) ? [BOM, text.slice(1)] : ['', text]);

export function installHooks(original: string | null, wanted: readonly Wanted[], dialect: HooksDialect): ConfigResult {
  const [bom, body] = splitBom(original ?? '');
  const problem = body.trim() === '' ? undefined : problemOf(body, wanted);
  if (problem !== undefined) return { ok: false, error: problem };
  const added: Registration[] = [];
  const removed: Registration[] = [];
  let text = withoutVersion(body, dialect);
  let closing = original === null ? '\n' : '';

  for (let surplus = surplusOf(find(text, dialect), wanted); surplus !== undefined; surplus = surplusOf(find(text, dialect), wanted)) {
    removed.push(surplus.registration);
    const rest = takeOut(text, surplus);
    if (rest === null) closing = '\n';
    text = rest ?? '';
  }
  for (const want of wanted) {
    const handler = dialect.handler(want.command, want.registration);
    const found = find(text, dialect).find((other) => isSame(other, want));
    if (found === undefined) text = addEntry(text, want, handler, dialect);
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
    const rest = takeOut(text, last);
    if (rest === null) return { ok: true, edit: { text: null, added: [], removed } };
    text = rest;
  }
  return { ok: true, edit: { text: bom + text, added: [], removed } };
}

export function installedHooks(text: string, dialect: HooksDialect): Installed[] {
  return find(splitBom(text)[1], dialect).map(({ registration, command }) => ({ registration, command }));
}

const isSame = (a: { readonly registration: Registration }, b: { readonly registration: Registration }): boolean =>
  a.registration.nativeEvent === b.registration.nativeEvent;

/** Fields that somebody added to our handler are theirs and stay. */
const covers = (there: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([key, value]) => JSON.stringify(there[key]) === JSON.stringify(value));

function problemOf(text: string, wanted: readonly Wanted[]): string | undefined {
  const parsed = parseText(text);
  if (!parsed.ok) return parsed.error;
  const { root } = parsed;
  const wrong = (node: Node, what: string) => `${positionOf(text, node.offset)}: ${what}: mend it or take it out, then run this again`;
  if (root.type !== 'object') return wrong(root, `the whole file must be a JSON object, not ${root.type}`);
  const hooks = memberOf(root, 'hooks');
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object') return wrong(hooks, `"hooks" must be an object, not ${hooks.type}`);
  for (const { registration } of wanted) {
    const event = memberOf(hooks, registration.nativeEvent);
    if (event !== undefined && event.type !== 'array')
      return wrong(event, `"hooks.${registration.nativeEvent}" must be an array, not ${event.type}`);
  }
  return undefined;
}

function find(text: string, dialect: HooksDialect): Found[] {
  const parsed = parseText(text);
  const hooks = parsed.ok && parsed.root.type === 'object' ? memberOf(parsed.root, 'hooks') : undefined;
  if (hooks?.type !== 'object') return [];
  return (hooks.children ?? []).flatMap((property) => {
    const entries = property.children?.[1];
    if (entries?.type !== 'array') return [];
    return (entries.children ?? []).flatMap((entry) =>
      handlersIn(entry, dialect).flatMap((handler): Found[] => {
        const command = handler.type === 'object' ? dialect.commandOf(getNodeValue(handler)) : undefined;
        const registration = command && registrationOf(command);
        return command && registration?.agent === dialect.agent
          ? [{ registration, command, place: property.children?.[0]?.value, handler, entry }]
          : [];
      }),
    );
  });
}

function handlersIn(entry: Node, { group }: HooksDialect): readonly Node[] {
  if (group === null) return [entry];
  const handlers = entry.type === 'object' ? memberOf(entry, 'hooks') : undefined;
  return (handlers?.type === 'array' && handlers.children) || [];
}

/**
 * Our version stands on the line of `hooks`, two spaces before it, which nobody else writes: so it can be taken out again
 * before all else, and the rest is as it would be without.
 */
const versionMark = (version: number): string => `"version": ${version},  `;

function withVersion(text: string, { version }: HooksDialect): string {
  const parsed = parseText(text);
  if (version === undefined || !parsed.ok || memberOf(parsed.root, 'version') !== undefined) return text;
  const hooks = memberOf(parsed.root, 'hooks');
  return hooks === undefined ? text : insert(text, itemOf(hooks).offset, versionMark(version));
}

function withoutVersion(text: string, { version }: HooksDialect): string {
  const parsed = parseText(text);
  const hooks = parsed.ok ? memberOf(parsed.root, 'hooks') : undefined;
  if (version === undefined || hooks === undefined) return text;
  const [mark, end] = [versionMark(version), itemOf(hooks).offset];
  return text.slice(0, end).endsWith(mark) ? text.slice(0, end - mark.length) + text.slice(end) : text;
}

const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);

/** The text without one handler and without the containers that we made for it; null when nothing of the file remains. */
function takeOut(text: string, { handler, entry }: Found): string | null {
  let item = handler.parent?.children?.length === 1 ? entry : handler;
  while (item.parent !== undefined && isOurContainer(text, item)) item = itemOf(item.parent);
  if (item.parent !== undefined) return removeItem(text, item);
  const before = text.slice(0, item.offset);
  const after = text.slice(endOf(item));
  if (/\S/.test(before + after)) return `${before}{}${after}`;
  return before === '' && /^(?:\r\n|\n|\r)$/.test(after) ? null : before + after;
}

function addEntry(text: string, want: Wanted, handler: JsonObject, dialect: HooksDialect): string {
  const entry = oneLine(dialect.group === null ? handler : { ...dialect.group, hooks: [handler] });
  const name = JSON.stringify(want.registration.nativeEvent);
  const parsed = parseText(text);
  if (!parsed.ok) return `${text}{\n  "hooks": {\n    ${name}: [\n      ${entry}\n    ]\n  }\n}`;
  const { root } = parsed;
  const hooks = memberOf(root, 'hooks');
  const entries = hooks && memberOf(hooks, want.registration.nativeEvent);
  const step = indentStepOf(text, root);
  const eol = lineBreakOf(text);
  const event = (indent: string) => `${name}: [${eol}${indent}${step}${entry}${eol}${indent}]`;
  if (entries !== undefined) return appendItem(text, root, entries, () => entry);
  if (hooks !== undefined) return appendItem(text, root, hooks, event);
  return appendItem(text, root, root, (indent) => `"hooks": {${eol}${indent}${step}${event(indent + step)}${eol}${indent}}`);
}
