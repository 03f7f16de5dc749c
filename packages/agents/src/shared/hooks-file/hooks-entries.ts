import type { JsonObject } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import type { Command } from '../command-line.ts';
import { appendItem, isOurContainer, oneLine, removeItem } from '../jsonc/jsonc-edit.ts';
import {
  endOf,
  indentAt,
  indentStepOf,
  itemOf,
  lineBreakOf,
  memberOf,
  type Node,
  parseText,
  positionOf,
  startsLine,
} from '../jsonc/jsonc-text.ts';

/** How a file of the form `hooks: { Event: [entry] }` holds its commands. */
export interface EntriesDialect {
  commandOf(handler: JsonObject): Command | undefined;
  /** What stands beside `hooks` in a group of ours, such as a matcher for all; null where the handlers stand in the event's list themselves. */
  readonly group: JsonObject | null;
  /** The number of the format that the whole file must name. */
  readonly version?: number;
}

/** A command of ours that stands in the text, with what we know it by. */
export interface FoundEntry<Mark> {
  readonly mark: Mark;
  readonly command: Command;
  /** The event under which it stands. */
  readonly place: string;
  readonly handler: Node;
  /** What stands in the event's list: a group, or the handler itself. */
  readonly entry: Node;
}

const BOM = '\uFEFF';
export const splitBom = (text: string): [string, string] => (text.startsWith(BOM) ? [BOM, text.slice(1)] : ['', text]);

/** Why the text cannot be edited, for entries of these events. */
export function problemOf(text: string, events: readonly string[]): string | undefined {
  const parsed = parseText(text);
  if (!parsed.ok) return parsed.error;
  const { root } = parsed;
  const wrong = (node: Node, what: string) => `${positionOf(text, node.offset)}: ${what}: mend it or take it out, then run this again`;
  if (root.type !== 'object') return wrong(root, `the whole file must be a JSON object, not ${root.type}`);
  const hooks = memberOf(root, 'hooks');
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object') return wrong(hooks, `"hooks" must be an object, not ${hooks.type}`);
  for (const name of events) {
    const event = memberOf(hooks, name);
    if (event !== undefined && event.type !== 'array') return wrong(event, `"hooks.${name}" must be an array, not ${event.type}`);
  }
  return undefined;
}

export function findEntries<Mark>(
  text: string,
  dialect: EntriesDialect,
  markOf: (command: Command) => Mark | undefined,
): FoundEntry<Mark>[] {
  const parsed = parseText(text);
  const hooks = parsed.ok && parsed.root.type === 'object' ? memberOf(parsed.root, 'hooks') : undefined;
  if (hooks?.type !== 'object') return [];
  return (hooks.children ?? []).flatMap((property) => {
    const entries = property.children?.[1];
    if (entries?.type !== 'array') return [];
    return (entries.children ?? []).flatMap((entry) =>
      handlersIn(entry, dialect).flatMap((handler): FoundEntry<Mark>[] => {
        const command = handler.type === 'object' ? dialect.commandOf(getNodeValue(handler)) : undefined;
        const mark = command && markOf(command);
        return command && mark !== undefined ? [{ mark, command, place: property.children?.[0]?.value, handler, entry }] : [];
      }),
    );
  });
}

function handlersIn(entry: Node, { group }: EntriesDialect): readonly Node[] {
  if (group === null) return [entry];
  const handlers = entry.type === 'object' ? memberOf(entry, 'hooks') : undefined;
  return (handlers?.type === 'array' && handlers.children) || [];
}

/**
 * Our version stands right before `hooks`, and a space ends its line, which nobody else writes: so it can be taken out again
 * before all else, and the rest is as it would be without. Where `hooks` starts no line, and in files of older versions of Piton,
 * two spaces are between them.
 */
function versionMarks(text: string, hooks: Node, version: number): readonly [string, ...string[]] {
  const onItsLine = `"version": ${version},  `;
  if (!startsLine(text, hooks.offset)) return [onItsLine];
  return [`"version": ${version}, ${lineBreakOf(text)}${indentAt(text, hooks.offset)}`, onItsLine];
}

export function withVersion(text: string, { version }: EntriesDialect): string {
  const parsed = parseText(text);
  if (version === undefined || !parsed.ok || memberOf(parsed.root, 'version') !== undefined) return text;
  const hooks = memberOf(parsed.root, 'hooks');
  if (hooks === undefined) return text;
  const [mark] = versionMarks(text, itemOf(hooks), version);
  return insert(text, itemOf(hooks).offset, mark);
}

export function withoutVersion(text: string, { version }: EntriesDialect): string {
  const parsed = parseText(text);
  const hooks = parsed.ok ? memberOf(parsed.root, 'hooks') : undefined;
  if (version === undefined || hooks === undefined) return text;
  const end = itemOf(hooks).offset;
  // On a line with something before it, `hooks` starts none: only there the older form can be.
  const marks = versionMarks(text, itemOf(hooks), version);
  const mark = marks.find((each) => text.slice(0, end).endsWith(each));
  return mark === undefined ? text : text.slice(0, end - mark.length) + text.slice(end);
}

const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);

/** The text without one handler and without the containers that we made for it; null when nothing of the file remains. */
export function removeEntry(text: string, { handler, entry }: Pick<FoundEntry<unknown>, 'handler' | 'entry'>): string | null {
  return removeWithContainers(text, handler.parent?.children?.length === 1 ? entry : handler);
}

export function removeWithContainers(text: string, ours: Node): string | null {
  let item = ours;
  while (item.parent !== undefined && isOurContainer(text, item)) item = itemOf(item.parent);
  if (item.parent !== undefined) return removeItem(text, item);
  const before = text.slice(0, item.offset);
  const after = text.slice(endOf(item));
  if (/\S/.test(before + after)) return `${before}{}${after}`;
  return before === '' && /^(?:\r\n|\n|\r)$/.test(after) ? null : before + after;
}

/** Adds what stands in the list of an event, as the last of it. */
export function addEntry(text: string, place: string, value: JsonObject): string {
  const entry = oneLine(value);
  const name = JSON.stringify(place);
  const parsed = parseText(text);
  if (!parsed.ok) return `${text}{\n  "hooks": {\n    ${name}: [\n      ${entry}\n    ]\n  }\n}`;
  const { root } = parsed;
  const hooks = memberOf(root, 'hooks');
  const entries = hooks && memberOf(hooks, place);
  const step = indentStepOf(text, root);
  const eol = lineBreakOf(text);
  const event = (indent: string) => `${name}: [${eol}${indent}${step}${entry}${eol}${indent}]`;
  if (entries !== undefined) return appendItem(text, root, entries, () => entry);
  if (hooks !== undefined) return appendItem(text, root, hooks, event);
  return appendItem(text, root, root, (indent) => `"hooks": {${eol}${indent}${step}${event(indent + step)}${eol}${indent}}`);
}
