import { lineBreakOf, positionOf } from '../jsonc/jsonc-text.ts';
import { quotedToml, scanToml, unquoted } from './toml-text.ts';

export type TomlEdit = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

const isAt = (path: readonly string[], place: readonly string[]): boolean => path.join('\0') === place.join('\0');
const isWithin = (path: readonly string[], place: readonly string[]): boolean =>
  path.length >= place.length && isAt(path.slice(0, place.length), place);

/** A text, or the word of any other scalar, as it stands under this path; undefined where there is none. */
export function tomlValue(text: string, path: readonly string[]): string | undefined {
  const scan = scanToml(text);
  const entry = scan.ok ? scan.entries.findLast((one) => isAt(one.path, path)) : undefined;
  if (entry === undefined) return undefined;
  const raw = text.slice(entry.valueFrom, entry.valueTo);
  return /^["']/.test(raw) ? unquoted(raw) : raw;
}

/** Sets one text in a table, which is appended if it is not there. Nothing else moves by a byte. */
export function setTomlText(text: string, table: readonly string[], key: string, value: string): TomlEdit {
  const scan = scanToml(text);
  if (!scan.ok) return scan;
  const entry = scan.entries.findLast((one) => isAt(one.path, [...table, key]));
  if (entry !== undefined) return { ok: true, text: text.slice(0, entry.valueFrom) + quotedToml(value) + text.slice(entry.valueTo) };

  const eol = lineBreakOf(text);
  const line = `${bareOrQuoted(key)} = ${quotedToml(value)}`;
  const header = scan.headers.find((one) => !one.isList && isAt(one.path, table));
  if (header !== undefined) return { ok: true, text: `${text.slice(0, header.to)}${eol}${line}${text.slice(header.to)}` };

  // A table that is written within a line, or by dots in its keys, cannot be opened again by a header.
  const inTheWay =
    scan.entries.find((one) => isWithin(table, one.path) || isWithin(one.path, table)) ??
    scan.headers.find((one) => one.isList && isWithin(table, one.path));
  if (inTheWay !== undefined) {
    const at = 'from' in inTheWay ? inTheWay.from : inTheWay.to;
    return { ok: false, error: `${positionOf(text, at)}: ${table.join('.')} is not written as a table of its own there` };
  }
  const gap = text === '' || text === '\uFEFF' ? '' : /\n$/.test(text) ? eol : eol + eol;
  return { ok: true, text: `${text}${gap}[${table.map(bareOrQuoted).join('.')}]${eol}${line}${eol}` };
}

const bareOrQuoted = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quotedToml(key));
