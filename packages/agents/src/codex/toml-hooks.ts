import type { JsonObject } from '@piton/contracts';
import type { RawHook } from '../shared/import/hooks-import.ts';
import { scalarInToml, scanToml, type TomlEntry } from '../shared/toml/toml-text.ts';

interface Table {
  readonly from: number;
  readonly fields: Record<string, unknown>;
}
interface Group extends Table {
  readonly handlers: Table[];
}

/** Hooks that are written as `[[hooks.Event]]` and `[[hooks.Event.hooks]]`. */
export function tomlHooks(text: string): { ok: true; raws: readonly RawHook[] } | { ok: false; error: string } {
  const scan = scanToml(text);
  if (!scan.ok) return scan;
  const groups = new Map<string, Group[]>();
  const sections = scan.headers.map((header, at) => ({ header, until: scan.headers[at + 1]?.to ?? Number.POSITIVE_INFINITY }));
  for (const { header, until } of sections) {
    const [root, event, inner] = header.path;
    if (root !== 'hooks' || event === undefined || !header.isList || header.path.length > 3) continue;
    const fields = fieldsOf(text, scan.entries, header.to, until, header.path.length);
    const list = groups.get(event) ?? [];
    groups.set(event, list);
    if (inner === undefined) list.push({ from: header.to, fields, handlers: [] });
    else if (inner === 'hooks') list.at(-1)?.handlers.push({ from: header.to, fields });
  }
  return { ok: true, raws: [...groups].flatMap(([event, list]) => list.flatMap((group, at) => rawsOf(text, event, group, at))) };
}

const rawsOf = (text: string, nativeEvent: string, group: Group, at: number): RawHook[] =>
  group.handlers.map(({ from, fields }, index) => ({
    place: { nativeEvent, path: `hooks.${nativeEvent}[${at}].hooks[${index}]`, line: text.slice(0, from).split('\n').length },
    group: group.fields,
    handler: fields,
  }));

function fieldsOf(text: string, entries: readonly TomlEntry[], from: number, until: number, depth: number): Record<string, unknown> {
  const inside = entries.filter((entry) => entry.from > from && entry.from < until && entry.path.length === depth + 1);
  return Object.fromEntries(
    inside.map((entry) => [entry.path[depth], scalarInToml(text.slice(entry.valueFrom, entry.valueTo))]),
  ) as JsonObject;
}
