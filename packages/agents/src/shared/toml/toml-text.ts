import { positionOf } from '../jsonc/jsonc-text.ts';

/** `key = value`, by the whole path of the key. A value that is no scalar is not looked into. */
export interface TomlEntry {
  readonly path: readonly string[];
  readonly from: number;
  readonly valueFrom: number;
  readonly valueTo: number;
}

/** `[table]` or `[[list of tables]]`. */
export interface TomlHeader {
  readonly path: readonly string[];
  readonly isList: boolean;
  /** Where its line ends. */
  readonly to: number;
}

export type TomlText =
  | { readonly ok: true; readonly headers: readonly TomlHeader[]; readonly entries: readonly TomlEntry[] }
  | { readonly ok: false; readonly error: string };

const BARE = /[A-Za-z0-9_-]+/y;
const BLANK = /[ \t]*/y;
const BETWEEN = /(?:[ \t\r\n]+|#[^\r\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\r\n]*)?(?=\r?\n|$)/y;
/** Long strings first: they begin like short ones. */
const STRING = /"""(?:\\[\s\S]|[^\\])*?"""+|'''[\s\S]*?'''+|"(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'/y;
const SCALAR = /[^\s"'#,[\]{}]+(?: [0-9][^\s"'#,[\]{}]*)?/y;

/** Where the tables and keys of a TOML file stand: enough to change a value and leave every other byte alone. */
export function scanToml(text: string): TomlText {
  const headers: TomlHeader[] = [];
  const entries: TomlEntry[] = [];
  let table: readonly string[] = [];
  let at = skip(BETWEEN, text, text.startsWith('\uFEFF') ? 1 : 0);
  while (at < text.length) {
    const read = text[at] === '[' ? readHeader(text, at) : readEntry(text, at, table);
    const end = read === undefined ? undefined : match(LINE_END, text, read.to);
    if (read === undefined || end === undefined)
      return { ok: false, error: `${positionOf(text, at)}: not valid TOML: mend it there, then run this again` };
    if ('isList' in read) {
      table = read.path;
      headers.push({ ...read, to: end });
    } else entries.push(read.entry);
    at = skip(BETWEEN, text, end);
  }
  return { ok: true, headers, entries };
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
const skip = (pattern: RegExp, text: string, at: number): number => match(pattern, text, at) ?? at;

function readHeader(text: string, at: number): TomlHeader | undefined {
  const isList = text.startsWith('[[', at);
  const close = isList ? ']]' : ']';
  const key = readKey(text, at + close.length);
  return key !== undefined && text.startsWith(close, key.to) ? { path: key.path, isList, to: key.to + close.length } : undefined;
}

function readEntry(text: string, from: number, table: readonly string[]): { readonly entry: TomlEntry; readonly to: number } | undefined {
  const key = readKey(text, from);
  if (key === undefined || text[key.to] !== '=') return undefined;
  const valueFrom = skip(BLANK, text, key.to + 1);
  const valueTo = valueEnd(text, valueFrom);
  return valueTo === undefined ? undefined : { entry: { path: [...table, ...key.path], from, valueFrom, valueTo }, to: valueTo };
}

/** A key with its dots, and where what follows it begins. */
function readKey(text: string, start: number): { readonly path: readonly string[]; readonly to: number } | undefined {
  const path: string[] = [];
  for (let at = skip(BLANK, text, start); ; at = skip(BLANK, text, at + 1)) {
    const isQuoted = text[at] === '"' || text[at] === "'";
    const to = match(isQuoted ? STRING : BARE, text, at);
    if (to === undefined) return undefined;
    path.push(isQuoted ? unquoted(text.slice(at, to)) : text.slice(at, to));
    at = skip(BLANK, text, to);
    if (text[at] !== '.') return { path, to: at };
  }
}

/** Where a value ends, brackets and strings in it counted. */
function valueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at = depth === 0 ? at : skip(BETWEEN, text, at)) {
    const char = text[at] ?? '';
    const isMark = '[]{},='.includes(char);
    if (isMark && depth === 0 && char !== '[' && char !== '{') return undefined;
    if (char === '[' || char === '{') depth++;
    if (char === ']' || char === '}') depth--;
    const to = isMark ? at + 1 : match(char === '"' || char === "'" ? STRING : SCALAR, text, at);
    if (to === undefined) return undefined;
    at = to;
    if (depth === 0) return at;
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' };

/** The text that a quoted key or value stands for. */
export function unquoted(raw: string): string {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  return raw.slice(1, -1).replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gs, (whole, four, eight, one) => {
    const code = Number.parseInt(four ?? eight ?? '', 16);
    if (one !== undefined) return ESCAPES[one] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** A text, a number or a truth; of another value the text that stands there. */
export function scalarInToml(raw: string): unknown {
  if (/^"""|^'''/.test(raw))
    return raw.startsWith("'") ? raw.slice(3, -3).replace(/^\r?\n/, '') : unquoted(`"${raw.slice(3, -3).replace(/^\r?\n/, '')}"`);
  if (/^["']/.test(raw)) return unquoted(raw);
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return /^[+-]?[\d_]+(?:\.\d+)?$/.test(raw) ? Number(raw.replaceAll('_', '')) : raw;
}

export const quotedToml = (text: string): string =>
  `"${text.replace(/["\\]|[\0-\x1f\x7f]/g, (char) =>
    char === '"' || char === '\\' ? `\\${char}` : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}"`;
