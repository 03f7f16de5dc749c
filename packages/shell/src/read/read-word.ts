import { UNKNOWN_VARIABLE } from '../walk/marks.ts';
import { ansiText } from './escapes.ts';
import { readExpansion } from './read-expansion.ts';
import type { ReadList } from './read-script.ts';
import { DEEPEST, LINES, type Scan, scanInside, take } from './scan.ts';
import type { Word, WordPart } from './syntax.ts';
import { tildeAtStart, valueTildes, withTildes } from './tildes.ts';

/** Characters that mean nothing by themselves, in one go. */
const PLAIN = /[^ \t\n;&|()<>\\'"$`]+/y;
const PLAIN_IN_BRACES = /[^}\\'"$`]+/y;
const PLAIN_IN_QUOTED_BRACES = /[^}\\"$`]+/y;
const PLAIN_IN_BRACKETS = /[^\]\n\\'"$`]+/y;
const PLAIN_IN_QUOTES = /[^"\\$`]+/y;
const PLAIN_IN_DOCUMENT = /[^\\$`]+/y;
const ARRAY = /^[A-Za-z_]\w*\+?=$/;

/** A word from here to the blank or sign that ends it. Nothing is read where none begins. */
export const readWord = (scan: Scan, list: ReadList): Word => withTildes(readParts(scan, list));

/** The same as the value of an assignment. */
export const readValue = (scan: Scan, list: ReadList): Word => valueTildes(readParts(scan, list));

function readParts(scan: Scan, list: ReadList, inArray = false): WordPart[] {
  const parts: WordPart[] = [];
  const { text } = scan;
  for (;;) {
    PLAIN.lastIndex = scan.at;
    if (PLAIN.test(text)) {
      addText(parts, text.slice(scan.at, PLAIN.lastIndex), false);
      scan.at = PLAIN.lastIndex;
    }
    const char = text[scan.at];
    // So end nearly all words.
    if (char === ' ' || char === undefined) return parts;
    switch (char) {
      case '\t':
      case '\n':
      case ';':
      case '&':
      case '|':
      case ')':
        return parts;
      case '<':
      case '>':
        if (text[scan.at + 1] !== '(') return parts;
        scan.at += 2;
        parts.push({ kind: 'process', script: readNested(scan, list, ')') });
        break;
      case '(': {
        const before = parts.at(-1);
        if (before?.kind !== 'text' || before.quoted) return parts;
        if (parts.length === 1 && ARRAY.test(before.text)) {
          scan.at++;
          parts.push({ kind: 'array', values: readArray(scan, list) });
        } else if (/[?*+@!]$/.test(before.text)) addText(parts, patternList(scan), false);
        else return parts;
        break;
      }
      default:
        readSpecial(scan, list, parts, char, inArray);
    }
  }
}

/** Text joins the text before it, if that is quoted in the same way. */
export function addText(parts: WordPart[], text: string, quoted: boolean): void {
  const last = parts.at(-1);
  if (last?.kind === 'text' && last.quoted === quoted) parts[parts.length - 1] = { kind: 'text', text: last.text + text, quoted };
  else parts.push({ kind: 'text', text, quoted });
}

/** A quote, a backslash, `$` or a backquote; false where it is none of these. */
function readSpecial(scan: Scan, list: ReadList, parts: WordPart[], char: string, inArray = false): boolean {
  const { text } = scan;
  switch (char) {
    case '\\': {
      const next = text[scan.at + 1];
      scan.at += 2;
      // Bash 5.2 writes a substitution down anew: in an array there, an escaped tab becomes a blank.
      if (next === '\t' && inArray) addText(parts, UNKNOWN_VARIABLE, true);
      else if (next !== '\n') addText(parts, next ?? '\\', true);
      return true;
    }
    case "'": {
      const end = endOf(text, "'", scan.at + 1);
      addText(parts, text.slice(scan.at + 1, end), true);
      scan.at = end + 1;
      return true;
    }
    case '"':
      scan.at++;
      readDoubleQuotes(scan, list, parts);
      return true;
    case '$':
      if (text[scan.at + 1] === "'") addText(parts, ansiText(ansiQuoted(scan)), true);
      else if (text[scan.at + 1] === '"') {
        scan.at += 2;
        readDoubleQuotes(scan, list, parts);
      } else readExpansion(scan, list, parts, false);
      return true;
    case '`':
      readExpansion(scan, list, parts, false);
      return true;
    default:
      return false;
  }
}

/** From behind the opening quote to behind the closing one. */
function readDoubleQuotes(scan: Scan, list: ReadList, parts: WordPart[]): void {
  addText(parts, '', true);
  readQuoted(scan, list, parts, '"');
  scan.at++;
}

/** Double quotes, a here-document, a sum: only `$`, backquotes and some backslashes mean something. */
export function readQuoted(scan: Scan, list: ReadList, parts: WordPart[], until: '"' | ''): void {
  const { text } = scan;
  const plain = until === '"' ? PLAIN_IN_QUOTES : PLAIN_IN_DOCUMENT;
  const escapable = until === '"' ? '$`"\\' : '$`\\';
  while (scan.at < text.length) {
    const char = text[scan.at];
    if (char === '\\') {
      const next = text[scan.at + 1] ?? '';
      scan.at += 2;
      if (next !== '\n') addText(parts, next !== '' && escapable.includes(next) ? next : `\\${next}`, true);
    } else if (char === '$' || char === '`') readExpansion(scan, list, parts, true);
    else if (char === '"' && until === '"') return;
    else addText(parts, take(scan, plain), true);
  }
}

/** What stands behind the operator of `${name:-…}`, up to its brace. In double quotes single ones are characters, but not in a pattern. */
export function readOperand(scan: Scan, list: ReadList, quoted: boolean, isPattern: boolean): Word {
  const parts: WordPart[] = [];
  const { text } = scan;
  while (scan.at < text.length && text[scan.at] !== '}') {
    const char = text[scan.at] as string;
    if (!quoted || isPattern) {
      if (!readSpecial(scan, list, parts, char)) addText(parts, take(scan, PLAIN_IN_BRACES), false);
    } else if (char === '\\') {
      const next = text[scan.at + 1] ?? '';
      scan.at += 2;
      if (next !== '\n') addText(parts, /^[$`"\\}]$/.test(next) ? next : `\\${next}`, true);
    } else if (char === '"') {
      scan.at++;
      readDoubleQuotes(scan, list, parts);
    } else if (char === '$' || char === '`') readExpansion(scan, list, parts, true);
    else addText(parts, take(scan, PLAIN_IN_QUOTED_BRACES), true);
  }
  scan.at++;
  return quoted ? parts : withTildes(parts);
}

/** What stands between the brackets behind the name of an array. */
export function readIndex(scan: Scan, list: ReadList): Word {
  const parts: WordPart[] = [];
  const { text } = scan;
  for (scan.at++; scan.at < text.length && text[scan.at] !== ']' && text[scan.at] !== '\n'; )
    if (!readSpecial(scan, list, parts, text[scan.at] as string)) addText(parts, take(scan, PLAIN_IN_BRACKETS), false);
  scan.at++;
  return parts;
}

/** The script of `$(`, `<(` and the like, from behind what opens it to behind what closes it. */
export function readNested(scan: Scan, list: ReadList, until: ')' | '}'): ReturnType<ReadList> {
  if (scan.depth >= DEEPEST) return unread(scan);
  scan.depth++;
  const script = list(scan, until);
  scan.depth--;
  return script;
}

export function unread(scan: Scan): ReturnType<ReadList> {
  const text = scan.text.slice(scan.at);
  scan.at = scan.text.length;
  scan.reading.complete = false;
  return [[{ kind: 'unread', text }]];
}

/** A text inside of this one that is read as if it stood in double quotes. */
export function readInside(scan: Scan, list: ReadList, text: string, at: number): Word {
  const inside = scanInside(scan, text, at);
  if (inside.depth > DEEPEST) return [{ kind: 'substitution', script: unread(inside), quoted: true }];
  const parts: WordPart[] = [];
  readQuoted(inside, list, parts, '');
  return parts;
}

export function readArray(scan: Scan, list: ReadList): Word[] {
  const { text } = scan;
  if (scan.depth >= DEEPEST) return [[{ kind: 'substitution', script: unread(scan), quoted: true }]];
  scan.depth++;
  const values: Word[] = [];
  for (;;) {
    take(scan, LINES);
    const start = scan.at;
    if (start >= text.length || text[start] === ')') break;
    const word = text[start] === '#' ? [] : tildeAtStart(readParts(scan, list, true));
    if (word.length > 0) values.push(word);
    else if (text[start] === '#') scan.at = endOf(text, '\n', start);
    else if (scan.at === start) scan.at++;
  }
  scan.at++;
  scan.depth--;
  return values;
}

/** `@(a|b)` fits what nobody can tell here. */
function patternList(scan: Scan): string {
  take(scan, PATTERN_LIST);
  return '*';
}
const PATTERN_LIST = /\([^)\n]*\)?/y;

function ansiQuoted(scan: Scan): string {
  const { text } = scan;
  const from = scan.at + 2;
  let end = from;
  while (end < text.length && text[end] !== "'") end += text[end] === '\\' ? 2 : 1;
  scan.at = end + 1;
  return text.slice(from, end);
}

export function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}
