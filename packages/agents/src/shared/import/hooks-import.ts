import type { EventName, ImportResult, JsonObject, NativeHook, NativePlace, NotImported } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { isOurs } from '../command-line.ts';
import { fieldsOf, isObject } from '../json-fields.ts';
import { removeItem } from '../jsonc/jsonc-edit.ts';
import { appendTo, setMember } from '../jsonc/jsonc-set.ts';
import { memberOf, type Node, parseText } from '../jsonc/jsonc-text.ts';

/** One handler as it stands in a file, with what stands beside its list. */
export interface RawHook {
  readonly place: NativePlace;
  readonly group: JsonObject;
  readonly handler: JsonObject;
}

/** What an agent makes of one of its handlers: a hook, or why not. */
export type Carried = Omit<NativeHook, 'place'> | { readonly what: string; readonly why: string };

export type Carry = (raw: RawHook, file: JsonObject) => Carried;

const BOM = /^\uFEFF/;

/** `hooks: { Event: [{ matcher, hooks: [handler] }] }`, or handlers without groups: both stand side by side in some agents. */
export function importHooks(text: string, carry: Carry): ImportResult {
  const body = text.replace(BOM, '');
  if (body.trim() === '') return { ok: true, hooks: [], left: [] };
  const parsed = parseText(body);
  if (!parsed.ok) return parsed;
  return carriedFrom(rawHooks(body, parsed.root), carry, fieldsOf(getNodeValue(parsed.root)));
}

export function carriedFrom(raws: readonly RawHook[], carry: Carry, file: JsonObject): ImportResult {
  const hooks: NativeHook[] = [];
  const left: NotImported[] = [];
  for (const raw of raws) {
    const carried = carry(raw, file);
    if ('why' in carried) left.push({ place: raw.place, ...carried });
    else if (!isPitons(raw.handler)) hooks.push({ place: raw.place, ...carried });
  }
  return { ok: true, hooks, left };
}

/** One of our own lines, under whichever field it stands. */
const isPitons = (handler: JsonObject): boolean => {
  const { args, command } = handler;
  if (typeof command === 'string' && Array.isArray(args) && isOurs({ argv: [command, ...args.map(String)] })) return true;
  return Object.values(handler).some((value) => typeof value === 'string' && isOurs({ shell: value }) !== undefined);
};

function rawHooks(text: string, root: Node): RawHook[] {
  return handlerNodes(root).map(({ node, group, path, nativeEvent }) => ({
    place: { nativeEvent, path, line: text.slice(0, node.offset).split('\n').length },
    group: group === undefined ? {} : fieldsOf(getNodeValue(group)),
    handler: fieldsOf(getNodeValue(node)),
  }));
}

interface HandlerNode {
  readonly node: Node;
  readonly group: Node | undefined;
  readonly path: string;
  readonly nativeEvent: string;
}

function handlerNodes(root: Node): HandlerNode[] {
  const hooks = root.type === 'object' ? memberOf(root, 'hooks') : undefined;
  if (hooks?.type !== 'object') return [];
  return (hooks.children ?? []).flatMap((property) => {
    const [name, list] = property.children ?? [];
    const nativeEvent = String(name?.value ?? '');
    if (list?.type !== 'array') return [];
    return (list.children ?? []).flatMap((entry, at): HandlerNode[] => {
      const path = `hooks.${nativeEvent}[${at}]`;
      const inner = entry.type === 'object' ? memberOf(entry, 'hooks') : undefined;
      if (inner?.type !== 'array') return [{ node: entry, group: undefined, path, nativeEvent }];
      return (inner.children ?? []).map((node, index) => ({ node, group: entry, path: `${path}.hooks[${index}]`, nativeEvent }));
    });
  });
}

/** Without the handlers at these paths, and without groups that held nothing else. Nothing else moves by a byte. */
export function removeHooks(text: string, paths: readonly string[]): string {
  const bom = BOM.exec(text)?.[0] ?? '';
  let body = text.replace(BOM, '');
  // From the last one on, so that the paths of those before it stay what they are.
  for (const path of [...paths].reverse()) {
    const parsed = parseText(body);
    const found = parsed.ok ? handlerNodes(parsed.root).find((each) => each.path === path) : undefined;
    if (found === undefined) continue;
    const only = found.group !== undefined && found.node.parent?.children?.length === 1;
    body = removeItem(body, only ? (found.group as Node) : found.node);
  }
  return bom + body;
}

/** The other way round: entries that stood in another text, behind those that are there. Comments inside them do not come along. */
export function restoreHooks(text: string | null, original: string, paths: readonly string[]): string {
  const parsed = parseText(original.replace(BOM, ''));
  const wanted = parsed.ok ? handlerNodes(parsed.root).filter(({ path }) => paths.includes(path)) : [];
  const bom = BOM.exec(text ?? original)?.[0] ?? '';
  let body = (text ?? '').replace(BOM, '');
  for (const { event, entry } of entriesOf(wanted)) body = withEntry(body, event, entry);
  return bom + body;
}

/** As they stood: handlers of one group in one group. */
function entriesOf(nodes: readonly HandlerNode[]): { event: string; entry: unknown }[] {
  const groups = new Map<Node, { event: string; entry: unknown }>();
  for (const { node, group, nativeEvent } of nodes) {
    const there = group && groups.get(group);
    if (there) (there.entry as { hooks: unknown[] }).hooks.push(getNodeValue(node));
    else if (group) groups.set(group, { event: nativeEvent, entry: { ...getNodeValue(group), hooks: [getNodeValue(node)] } });
    else groups.set(node, { event: nativeEvent, entry: getNodeValue(node) });
  }
  return [...groups.values()];
}

function withEntry(text: string, event: string, entry: unknown): string {
  const parsed = parseText(text);
  const hooks = parsed.ok && parsed.root.type === 'object' ? memberOf(parsed.root, 'hooks') : undefined;
  const list = hooks?.type === 'object' ? memberOf(hooks, event) : undefined;
  const entries: unknown[] = list?.type === 'array' ? getNodeValue(list) : [];
  if (entries.some((each) => JSON.stringify(each) === JSON.stringify(entry))) return text;
  const set = list?.type === 'array' ? appendTo(text, ['hooks', event], entry) : setMember(text, ['hooks', event], [entry]);
  return set.ok ? set.text : text;
}

/** The event's canonical name, or why there is no hook of ours for it. */
export function eventOf(
  nativeEvent: string,
  known: (name: string) => EventName | undefined,
): { event: EventName } | { what: string; why: string } {
  const event = known(nativeEvent);
  if (event !== undefined && event !== 'other') return { event };
  return { what: `a hook on ${nativeEvent}`, why: event === undefined ? 'the agent has no such event' : 'Piton has no event for it' };
}

/** A matcher that we have no condition for. */
export const subagentMatcher = (matcher: string): { what: string; why: string } => ({
  what: `the matcher ${matcher}`,
  why: 'it is a type of subagent, and no condition of ours says that',
});

/** Variables of a handler, as lines of the shell before its command. */
export function withVariables(env: unknown, command: string): string {
  const lines = Object.entries(isObject(env) ? env : {})
    .filter(([name, value]) => /^[A-Za-z_]\w*$/.test(name) && typeof value === 'string')
    .map(([name, value]) => `export ${name}='${String(value).replaceAll("'", `'\\''`)}'`);
  return [...lines, command].join('\n');
}

/** A number that is a time, in the unit of the agent. */
export const timeIn = (value: unknown, unitMs: number, otherwiseMs: number): number =>
  typeof value === 'number' && value > 0 ? Math.round(value * unitMs) : otherwiseMs;
