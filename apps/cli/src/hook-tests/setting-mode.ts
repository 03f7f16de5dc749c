import { isDeepStrictEqual } from 'node:util';
import { createScanner, findNodeAtLocation, type Node, parse, parseTree } from 'jsonc-parser';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The text of a settings file with another mode for the hook at `position`, or with none. Every other byte stays: the parser's
 * own `modify` reformats the whole entry and drops comments. Undefined if it cannot be done.
 */
export function withSettingMode(text: string, position: number, mode: 'shadow' | undefined): string | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const entry = root && findNodeAtLocation(root, ['hooks', position]);
  const properties = entry?.children ?? [];
  const written = properties.find(({ children }) => children?.[0]?.value === 'mode');
  const last = properties.at(-1);
  if (last === undefined) return undefined;
  const edits = mode !== undefined ? setting(text, written, last, mode) : written ? removal(text, written, properties) : [];
  const result = [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to), text);
  return isDeepStrictEqual(read(result), expectedValue(read(text), position, mode)) ? result : undefined;
}

function setting(text: string, written: Node | undefined, last: Node, mode: string): Edit[] {
  const value = written?.children?.[1];
  if (value) return [{ from: value.offset, to: endOf(value), text: `"${mode}"` }];
  const at = endOf(last);
  const line = lineAround(text, last.offset);
  const rest = /^[ \t]*(,?)[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(at));
  if (line.before.trim() !== '' || rest === null) return [{ from: at, to: at, text: `, "mode": "${mode}"` }];
  // On a new line, after a comment that belongs to the previous property.
  const below = at + rest[0].length;
  const own = `${text[below] === '\r' ? '\r\n' : '\n'}${line.before}"mode": "${mode}"`;
  if (rest[1] === ',') return [{ from: below, to: below, text: `${own},` }];
  const comma = { from: at, to: at, text: ',' };
  return below === at ? [{ ...comma, text: `,${own}` }] : [comma, { from: below, to: below, text: own }];
}

function removal(text: string, written: Node, properties: readonly Node[]): Edit[] {
  const end = endOf(written);
  const { start, before } = lineAround(text, written.offset);
  const isFirstOnLine = before.trim() === '';
  const after = commaAfter(text, end);
  if (after !== undefined) {
    const gap = /^[ \t]*(\r?\n)?/.exec(text.slice(after + 1)) as RegExpExecArray;
    const wholeLine = isFirstOnLine && gap[1] !== undefined && text.slice(end, after).trim() === '';
    if (wholeLine) return [{ from: start, to: after + 1 + gap[0].length, text: '' }];
    const kept = isFirstOnLine || gap[1] === undefined ? written.offset : written.offset - trailingBlanks(before);
    return [
      { from: kept, to: end, text: '' },
      { from: after, to: after + 1 + (gap[1] === undefined ? gap[0].length : 0), text: '' },
    ];
  }
  const previous = properties[properties.indexOf(written) - 1];
  const comma = previous && commaAfter(text, endOf(previous));
  if (comma === undefined) return [];
  const aloneOnLine = isFirstOnLine && /^[ \t]*\r?\n/.test(text.slice(end));
  const lineEnd = text[start - 2] === '\r' ? start - 2 : start - 1;
  const from = aloneOnLine ? lineEnd : isFirstOnLine ? written.offset : written.offset - trailingBlanks(before);
  return [
    { from: comma, to: comma + 1, text: '' },
    { from: Math.max(from, comma + 1), to: isFirstOnLine && !aloneOnLine ? end + leadingBlanks(text.slice(end)) : end, text: '' },
  ];
}

const endOf = ({ offset, length }: Node): number => offset + length;
const leadingBlanks = (text: string): number => (/^[ \t]*/.exec(text) as RegExpExecArray)[0].length;
const trailingBlanks = (text: string): number => text.length - text.trimEnd().length;

/** The offset of the next comma, if only comments come before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

function lineAround(text: string, offset: number): { start: number; before: string } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return { start, before: text.slice(start, offset) };
}

const read = (text: string): unknown => {
  const errors: Parameters<typeof parse>[1] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
};

function expectedValue(value: unknown, position: number, mode: string | undefined): unknown {
  const settings = value as { readonly hooks: readonly Readonly<Record<string, unknown>>[] };
  const { mode: _, ...rest } = settings.hooks[position] ?? {};
  return { ...settings, hooks: settings.hooks.with(position, mode === undefined ? rest : { ...rest, mode }) };
}
