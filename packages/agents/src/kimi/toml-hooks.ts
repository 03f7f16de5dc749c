import type { JsonObject } from '@piton/contracts';
import { lineBreakOf, positionOf } from '../shared/jsonc/jsonc-text.ts';
import { quotedToml, scalarInToml, scanToml } from '../shared/toml/toml-text.ts';

/** One `[[hooks]]` table of a TOML file, from the line of its header to the end of its last line. */
export interface HookTable {
  readonly fields: JsonObject;
  readonly from: number;
  readonly to: number;
  /** Counted from 1. */
  readonly line: number;
}
export type HookTables = { readonly ok: true; readonly tables: readonly HookTable[] } | { readonly ok: false; readonly error: string };

const TABLE = 'hooks';
const LINE_REST = /[^\n]*(?:\n|$)/y;

export function hookTables(text: string): HookTables {
  const scan = scanToml(text);
  if (!scan.ok) return scan;
  // Written in one line, or as a table of another kind, no table of ours can stand beside it.
  const inTheWay =
    scan.entries.find(({ path }) => path.length === 1 && path[0] === TABLE)?.from ??
    scan.headers.find(({ path, isList }) => path.length === 1 && path[0] === TABLE && !isList)?.to;
  if (inTheWay !== undefined)
    return { ok: false, error: `${positionOf(text, inTheWay)}: write hooks as [[hooks]] tables there, then run this again` };
  const tables = scan.headers.flatMap((header, at): HookTable[] => {
    if (!header.isList || header.path.length !== 1 || header.path[0] !== TABLE) return [];
    const until = scan.headers[at + 1]?.to ?? Number.POSITIVE_INFINITY;
    const own = scan.entries.filter((entry) => entry.from > header.to && entry.from < until);
    const from = text.lastIndexOf('\n', header.to - 1) + 1;
    LINE_REST.lastIndex = own.at(-1)?.valueTo ?? header.to;
    LINE_REST.test(text);
    const fields = Object.fromEntries(own.map((entry) => [entry.path[1] ?? '', scalarInToml(text.slice(entry.valueFrom, entry.valueTo))]));
    return [{ fields, from, to: LINE_REST.lastIndex, line: text.slice(0, from).split('\n').length }];
  });
  return { ok: true, tables };
}

/** After a last line that nobody ended there is no empty line: so it is known how the text ended before. */
export function withTable(text: string | null, fields: Readonly<Record<string, string | number>>): string {
  const eol = lineBreakOf(text ?? '');
  const lines = [
    '[[hooks]]',
    ...Object.entries(fields).map(([key, value]) => `${key} = ${typeof value === 'number' ? value : quotedToml(value)}`),
  ];
  return `${text === null ? '' : text + eol}${lines.map((line) => line + eol).join('')}`;
}

/** Without a table and the line break before it, unless that ends a line of somebody else's; null when nothing remains. */
export function withoutTable(text: string, { from, to }: HookTable): string | null {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  // What stood behind the first table of a file stands first now: the line break that parted them goes as well.
  if (before === '') return after === '' ? null : after.replace(/^\r?\n(?=\[\[hooks\]\])/, '');
  const shorter = before.replace(/\r?\n$/, '');
  return (after === '' || shorter === '' || shorter.endsWith('\n') ? shorter : before) + after;
}
