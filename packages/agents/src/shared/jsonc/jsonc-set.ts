import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { appendItem, removeItem, replaceValue } from './jsonc-edit.ts';
import { endOf, indentAt, indentStepOf, itemOf, lineBreakOf, memberOf, type Node, parseText, tailFrom } from './jsonc-text.ts';

export type SetResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

/** The text with another value at a path, or with none: comments, order and layout of everything else stay. */
export function setMember(text: string, path: readonly string[], value: unknown): SetResult {
  if (holdsNothing(text))
    return { ok: true, text: value === undefined ? text : `${text}${rendered(nested(path, value), '', '  ', '\n')}\n` };
  const parsed = parseText(text);
  if (!parsed.ok) return parsed;
  return setIn(text, parsed.root, path, value);
}

/** The text with one more element at the end of a list. */
export const appendElement = (text: string, key: string, value: unknown): SetResult => appendTo(text, [key], value);

export function appendTo(text: string, path: readonly string[], value: unknown): SetResult {
  const parsed = parseText(text);
  if (!parsed.ok) return parsed;
  const { root } = parsed;
  let list: Node | undefined = root;
  for (const key of path) list = list?.type === 'object' ? memberOf(list, key) : undefined;
  if (list?.type !== 'array') return { ok: false, error: `${path.join('.')} is no list` };
  return { ok: true, text: appended(text, root, list, (indent, step, eol) => rendered(value, indent, step, eol)) };
}

function setIn(text: string, root: Node, path: readonly string[], value: unknown): SetResult {
  let container = root;
  for (const [at, key] of path.entries()) {
    if (container.type !== 'object') return { ok: false, error: `${path.slice(0, at).join('.') || 'it'} is no object` };
    const member = memberOf(container, key);
    const rest = path.slice(at + 1);
    if (member === undefined)
      return { ok: true, text: value === undefined ? text : added(text, root, container, key, nested(rest, value)) };
    if (rest.length === 0)
      return value === undefined ? withoutAll(text, path, itemOf(member)) : { ok: true, text: replaced(text, root, member, value) };
    container = member;
  }
  return { ok: false, error: 'no name was given' };
}

const nested = (path: readonly string[], value: unknown): unknown => path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

type Rendered = (indent: string, step: string, eol: string) => string;

const added = (text: string, root: Node, container: Node, key: string, value: unknown): string =>
  appended(text, root, container, (indent, step, eol) => `${JSON.stringify(key)}: ${rendered(value, indent, step, eol)}`);

function appended(text: string, root: Node, container: Node, render: Rendered): string {
  const eol = lineBreakOf(text);
  const step = indentStepOf(text, root);
  // The empty line by which `appendItem` knows a container of its own again is for agents' files.
  if (container.length !== 2) return appendItem(text, root, container, (indent) => render(indent, step, eol));
  const outer = indentAt(text, container.offset);
  const item = `${eol}${outer}${step}${render(outer + step, step, eol)}${eol}${outer}`;
  return text.slice(0, container.offset + 1) + item + text.slice(container.offset + 1);
}

function replaced(text: string, root: Node, member: Node, value: unknown): string {
  if (JSON.stringify(getNodeValue(member)) === JSON.stringify(value)) return text;
  const indent = indentAt(text, itemOf(member).offset);
  return replaceValue(text, member, rendered(value, indent, indentStepOf(text, root), lineBreakOf(text)));
}

/** Of equal keys the last counts: were only that one taken out, the one before it would. */
function withoutAll(text: string, path: readonly string[], item: Node): SetResult {
  const rest = removeItem(text, item);
  // Where a comment ends the line before, the line break that would go with the item ends the comment.
  const now = written(rest) === written(text, item.offset) ? rest : withoutItem(text, item);
  return setMember(now, path, undefined);
}

function withoutItem(text: string, item: Node): string {
  const siblings = item.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(item) - 1];
  const comma = tailFrom(text, endOf(item)).comma ?? (previous && tailFrom(text, endOf(previous)).comma);
  const without = (from: number, to: number, of: string): string => of.slice(0, from) + of.slice(to);
  if (comma === undefined) return without(item.offset, endOf(item), text);
  if (comma > item.offset) return without(item.offset, endOf(item), without(comma, comma + 1, text));
  return without(comma, comma + 1, without(item.offset, endOf(item), text));
}

function written(text: string, except?: number): string {
  const parsed = parseText(text);
  return parsed.ok ? JSON.stringify(members(parsed.root, except)) : '';
}

/** As it is written, with keys that are there twice. */
function members(node: Node, except?: number): unknown {
  if (node.type === 'array') return node.children?.map((child) => members(child, except));
  if (node.type !== 'object') return getNodeValue(node);
  const kept = (node.children ?? []).filter(({ offset }) => offset !== except);
  return kept.map(({ children = [] }) => children.map((child) => members(child, except)));
}

function rendered(value: unknown, indent: string, step: string, eol: string): string {
  return JSON.stringify(value, null, step).split('\n').join(`${eol}${indent}`);
}

function holdsNothing(text: string): boolean {
  const parsed = parseText(`${text}\nnull`);
  return parsed.ok && parsed.root.type === 'null' && tailFrom(text, 0).comma === undefined;
}
