// The ESM build by its path: the package's default entry is UMD, which esbuild cannot bundle.
import type { JsonObject } from '@piton/contracts';
import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { fieldsOf } from '../json-fields.ts';

export type { Node };

// The library declares these as a const enum, which isolated modules cannot read.
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15 };

export type ParsedText = { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly error: string };

export function parseText(text: string): ParsedText {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first !== undefined || root === undefined) {
    const what =
      first === undefined
        ? 'nothing in it'
        : printParseErrorCode(first.error)
            .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
            .toLowerCase();
    return { ok: false, error: `${positionOf(text, first?.offset ?? 0)}: not valid JSON (${what}): mend it there, then run this again` };
  }
  return { ok: true, root };
}

/** The object that a file holds; an empty one where it holds none or cannot be read. */
export function objectIn(text: string | null | undefined): JsonObject {
  const parsed = parseText(text ?? '');
  return parsed.ok ? fieldsOf(getNodeValue(parsed.root)) : {};
}

export function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** The value under a key. Of equal keys the last one counts, as it does for every JSON reader. */
export function memberOf(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** An item is what a comma separates: a property of an object or an element of an array. */
export const itemOf = (value: Node): Node => (value.parent?.type === 'property' ? value.parent : value);

export const endOf = (node: Node): number => node.offset + node.length;

export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** One step of indentation, as the first item on a line of its own shows it. */
export function indentStepOf(text: string, root: Node): string {
  const first = root.children?.find((item) => startsLine(text, item.offset));
  const step = first === undefined ? '' : indentAt(text, first.offset).slice(indentAt(text, root.offset).length);
  return step === '' ? '  ' : step;
}

/** The white space at the start of the line on which this offset lies. */
export function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Is there nothing but white space before it on its line, and a line before that? */
export function startsLine(text: string, offset: number): boolean {
  return /[\r\n][ \t]*$/.test(text.slice(0, offset));
}

export interface Tail {
  /** Where the comma stands, if there is one. */
  readonly comma: number | undefined;
  /** Where the last comment, comma or item ends. */
  readonly end: number;
  readonly lastComment: { readonly offset: number; readonly isLine: boolean } | undefined;
}

/** What stands between an item (or the opening bracket) and the next item or the closing bracket. */
export function tailFrom(text: string, start: number): Tail {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  let comma: number | undefined;
  let end = start;
  let lastComment: Tail['lastComment'];
  for (;;) {
    const kind: number = scanner.scan();
    const offset = scanner.getTokenOffset();
    if (kind === TOKEN.space || kind === TOKEN.lineBreak) continue;
    if (kind === TOKEN.comma) comma = offset;
    else if (kind === TOKEN.lineComment || kind === TOKEN.blockComment) lastComment = { offset, isLine: kind === TOKEN.lineComment };
    else return { comma, end, lastComment };
    end = offset + scanner.getTokenLength();
  }
}
