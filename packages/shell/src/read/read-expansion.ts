import type { ReadList } from './read-script.ts';
import { addText, readIndex, readInside, readNested, readOperand, unread } from './read-word.ts';
import { DEEPEST, isAt, type Scan, scanInside, take } from './scan.ts';
import type { Script, Word, WordPart } from './syntax.ts';

/** A line that goes on does not end a name. */
const NAME = /[A-Za-z_](?:\w|\\\n)*/y;
const SIGN = /[0-9@*#?$!-]/y;
const BRACED_NAME = /[A-Za-z_]\w*|[0-9]+|[@*#?$!-]/y;
const OPERATOR = /:?[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|@|:/y;
/** `${ …; }` and `${| …; }` run commands in newer shells. */
const COMMANDS = /[ \t\n|]/y;
const LENGTH = /#(?=[A-Za-z_0-9@*#?$!-])(?!#?[%}])/y;
const LONGEST_SUM = 1024;

/** What begins with `$` or a backquote, which stands here. */
export function readExpansion(scan: Scan, list: ReadList, parts: WordPart[], quoted: boolean): void {
  const { text } = scan;
  const start = scan.at++;
  if (text[start] === '`') {
    parts.push({ kind: 'substitution', script: readBackquotes(scan, list, quoted), quoted });
    return;
  }
  switch (text[scan.at]) {
    case '(':
      scan.at++;
      if (text[scan.at] === '(') {
        const operands = readSum(scan, list);
        if (operands !== undefined) {
          parts.push({ kind: 'number', operands });
          return;
        }
      }
      parts.push({ kind: 'substitution', script: readNested(scan, list, ')'), quoted });
      return;
    case '{':
      scan.at++;
      if (isAt(scan, COMMANDS)) {
        if (text[scan.at] === '|') scan.at++;
        parts.push({ kind: 'substitution', script: readNested(scan, list, '}'), quoted });
      } else parts.push(readBraced(scan, list, quoted));
      return;
    default: {
      const name = take(scan, NAME).replaceAll('\\\n', '') || take(scan, SIGN);
      if (name === '') addText(parts, '$', quoted);
      else parts.push({ kind: 'variable', name, operator: '', operand: [], quoted, source: text.slice(start, scan.at) });
    }
  }
}

/** From behind `${`. */
function readBraced(scan: Scan, list: ReadList, quoted: boolean): WordPart {
  const start = scan.at - 2;
  if (scan.depth >= DEEPEST) return { kind: 'substitution', script: unread(scan), quoted };
  scan.depth++;
  const isLength = take(scan, LENGTH) !== '';
  const isIndirect = !isLength && scan.text[scan.at] === '!' && scan.text[scan.at + 1] !== '}';
  if (isIndirect) scan.at++;
  const name = take(scan, BRACED_NAME);
  const index = scan.text[scan.at] === '[' ? readIndex(scan, list) : undefined;
  const operator = take(scan, OPERATOR);
  const isPattern = operator !== '' && !/^:?[-=?+]$/.test(operator);
  const operand = readOperand(scan, list, quoted, isPattern);
  scan.depth--;
  if (isLength) return { kind: 'number', operands: [...(index ?? []), ...operand] };
  const source = scan.text.slice(start, scan.at);
  const variable = { kind: 'variable', name: isIndirect ? `!${name}` : name, operator, operand, quoted, source } as const;
  return index === undefined ? variable : { ...variable, index };
}

function readBackquotes(scan: Scan, list: ReadList, quoted: boolean): Script {
  const { text } = scan;
  const start = scan.at;
  const pieces: string[] = [];
  let from = start;
  let at = start;
  for (; at < text.length && text[at] !== '`'; at++) {
    if (text[at] !== '\\') continue;
    const next = text[at + 1];
    if (next === '\\' || next === '`' || next === '$' || (quoted && next === '"')) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
    at++;
  }
  pieces.push(text.slice(from, at));
  scan.at = at + 1;
  const inside = scanInside(scan, pieces.join(''), start);
  return inside.depth > DEEPEST ? unread(inside) : list(inside, 'end');
}

/** `((1 << 3))` is a sum, not a here-document: read from its second bracket to behind the last, or not at all. */
export function readSum(scan: Scan, list: ReadList): Word | undefined {
  const { text } = scan;
  const start = scan.at + 1;
  const limit = Math.min(text.length, start + LONGEST_SUM);
  let open = 0;
  for (let at = start; at < limit; at++) {
    const char = text[at];
    if (char === '(') open++;
    else if (char === '\\') at++;
    else if (char === ')' && open-- === 0) {
      if (text[at + 1] !== ')') return undefined;
      scan.at = at + 2;
      return readInside(scan, list, text.slice(start, at), start);
    }
  }
  return undefined;
}
