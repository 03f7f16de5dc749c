import { endOf, indentAt, indentStepOf, lineBreakOf, type Node, startsLine, tailFrom } from './jsonc-text.ts';

/*
 * Adding and taking out items without moving a byte of anything else, so that what was added can be taken out again
 * exactly. What Piton added itself is told apart from what was there by its layout alone, since an agent's strict
 * schema leaves no room for a marker:
 *   a container that we made     opens with one line break before our item
 *   one that was there, empty    `{}`  gets an empty line first; `{ }` gets our item right after the bracket
 */

/** Text of an item for an indentation; lines after the first start with it. */
export type Render = (indent: string) => string;

const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);
const cut = (text: string, from: number, to: number): string => text.slice(0, from) + text.slice(to);

/** Adds an item as the last one of an object or array. */
export function appendItem(text: string, root: Node, container: Node, render: Render): string {
  const eol = lineBreakOf(text);
  const outer = indentAt(text, container.offset);
  const inner = outer + indentStepOf(text, root);
  const last = container.children?.at(-1);
  const start = last === undefined ? container.offset + 1 : endOf(last);
  const tail = tailFrom(text, start);

  if (last === undefined && tail.lastComment === undefined) {
    const isBare = start === endOf(container) - 1;
    return insert(text, start, isBare ? `${eol}${eol}${inner}${render(inner)}${eol}${outer}` : render(inner));
  }
  const model = last?.offset ?? tail.lastComment?.offset ?? start;
  const indent = startsLine(text, model) ? indentAt(text, model) : inner;
  const lead = startsLine(text, model) || tail.lastComment?.isLine ? eol + indent : ' ';
  const added = `${lead}${render(indent)}${tail.comma === undefined ? '' : ','}`;
  const withItem = insert(text, tail.end, added);
  return last === undefined || tail.comma !== undefined ? withItem : insert(withItem, start, ',');
}

/** Takes an item out, with the line break or space and the comma that came with it. */
export function removeItem(text: string, item: Node): string {
  const container = item.parent as Node;
  const siblings = container.children as Node[];
  const at = siblings.indexOf(item);
  const { comma } = tailFrom(text, endOf(item));
  if (comma !== undefined) return cut(cut(text, comma, comma + 1), leadOf(text, item), endOf(item));
  const previous = siblings[at - 1];
  if (previous !== undefined) {
    const separator = tailFrom(text, endOf(previous)).comma as number;
    return cut(cut(text, leadOf(text, item), endOf(item)), separator, separator + 1);
  }
  const [before, after] = around(text, item);
  if (before === '' || /\S/.test(before + after)) return cut(text, leadOf(text, item), endOf(item));
  return cut(text, container.offset + 1, endOf(container) - 1);
}

/** Did we make the container that holds nothing but this item? */
export function isOurContainer(text: string, item: Node): boolean {
  const [before, after] = around(text, item);
  const oneBreak = /^(?:\r\n|\n|\r)[ \t]*$/;
  return item.parent?.children?.length === 1 && oneBreak.test(before) && oneBreak.test(after);
}

function around(text: string, item: Node): [before: string, after: string] {
  const container = item.parent as Node;
  return [text.slice(container.offset + 1, item.offset), text.slice(endOf(item), endOf(container) - 1)];
}

function leadOf(text: string, item: Node): number {
  const before = text.slice(0, item.offset);
  return item.offset - (/(?:(?:\r\n|\n|\r)?[ \t]*)$/.exec(before)?.[0].length ?? 0);
}

export const replaceValue = (text: string, value: Node, replacement: string): string =>
  text.slice(0, value.offset) + replacement + text.slice(endOf(value));

/** JSON on one line, with the spaces that people write. */
export function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
