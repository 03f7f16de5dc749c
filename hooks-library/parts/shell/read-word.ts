import { atEnd, type Cursor, cursorOn, DEEPEST, looksAt, peek, takeWhile } from './cursor.ts';
import { ansiText } from './escapes.ts';
import { activeOf } from './marks.ts';
import type { Part, Script, Word } from './syntax.ts';

/** Reads a script up to a closing mark: given from outside, since words hold scripts and scripts hold words. */
export type ReadScript = (cursor: Cursor, until: ')' | 'end') => Script;

const BREAKS = new Set([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);
const NAME = /[A-Za-z0-9_]/;
/** Means nothing to a shell, anywhere. */
const PLAIN = /[A-Za-z0-9_./:@%+=-]/;
const LONGEST_SUM = 1024;
const OPERATOR = /^(?::?[-=?+]|##?|%%?|\/\/?|\^\^?|,,?|@|:)/;
const text = (value: string): Part => ({ kind: 'text', text: value });

export function readWord(cursor: Cursor, script: ReadScript): Word {
  const parts: Part[] = [];
  const start = cursor.at;
  while (!atEnd(cursor)) {
    const char = peek(cursor);
    if ((char === '<' || char === '>') && peek(cursor, 1) === '(' && cursor.at === start) {
      cursor.at += 2;
      parts.push({ kind: 'process', body: nested(cursor, script) });
    } else if (char === '(' && cursor.at > start && /[?*+@!]/.test(cursor.text[cursor.at - 1] ?? '')) {
      parts.push(text(activeOf('*')));
      cursor.at++;
      takeWhile(cursor, (each) => each !== ')' && each !== '\n');
      if (peek(cursor) === ')') cursor.at++;
    } else if (BREAKS.has(char)) break;
    else readPart(cursor, script, parts, start);
  }
  return parts;
}

function readPart(cursor: Cursor, script: ReadScript, parts: Part[], start: number): void {
  const char = peek(cursor);
  if (char === '\\') {
    if (peek(cursor, 1) !== '\n') parts.push(text(peek(cursor, 1)));
    cursor.at += 2;
  } else if (char === "'") {
    cursor.at++;
    parts.push(text(takeWhile(cursor, (each) => each !== "'")));
    cursor.at++;
  } else if (char === '"' || looksAt(cursor, '$"')) {
    cursor.at += char === '"' ? 1 : 2;
    parts.push(text(''), ...readQuoted(cursor, script, '"'));
    cursor.at++;
  } else if (looksAt(cursor, "$'")) {
    cursor.at += 2;
    parts.push(text(ansiText(cursor)));
  } else if (char === '$' || char === '`') {
    readExpansion(cursor, script, parts, false);
  } else if (char === '~' && cursor.at === start) {
    cursor.at++;
    parts.push({ kind: 'tilde', user: takeWhile(cursor, (each) => /[\w.+-]/.test(each)) });
  } else if (PLAIN.test(char)) {
    parts.push(text(takeWhile(cursor, (each) => PLAIN.test(each))));
  } else {
    cursor.at++;
    parts.push(text(activeOf(char)));
  }
}

/** What stands in double quotes, or in a here-document: only `$`, backquotes and backslashes mean something. */
export function readQuoted(cursor: Cursor, script: ReadScript, until: '"' | ''): Part[] {
  const parts: Part[] = [];
  while (!atEnd(cursor) && peek(cursor) !== until) {
    const char = peek(cursor);
    if (char === '\\') {
      const next = peek(cursor, 1);
      if (next !== '\n') parts.push(text(/[$`"\\]/.test(next) ? next : `\\${next}`));
      cursor.at += 2;
    } else if (char === '$' || char === '`') readExpansion(cursor, script, parts, true);
    else parts.push(text(takeWhile(cursor, (each) => each !== until && each !== '\\' && each !== '$' && each !== '`')));
  }
  return parts;
}

function readExpansion(cursor: Cursor, script: ReadScript, parts: Part[], quoted: boolean): void {
  if (peek(cursor) === '`') parts.push({ kind: 'substitution', body: backquoted(cursor, script), quoted });
  else if (looksAt(cursor, '$((') && skipSum(cursor, 3)) parts.push({ kind: 'number' });
  else if (looksAt(cursor, '$(')) {
    cursor.at += 2;
    parts.push({ kind: 'substitution', body: nested(cursor, script), quoted });
  } else if (looksAt(cursor, '${')) {
    cursor.at += 2;
    parts.push(readBraced(cursor, script, quoted));
  } else {
    cursor.at++;
    const first = peek(cursor);
    const name = /[0-9@*#?$!-]/.test(first) ? first : takeWhile(cursor, (each) => NAME.test(each));
    if (name.length === 1 && name === first && !/[A-Za-z_]/.test(first)) cursor.at++;
    parts.push(name === '' ? text('$') : { kind: 'variable', name, operator: '', operand: [], quoted: quoted && name !== '@' });
  }
}

function readBraced(cursor: Cursor, script: ReadScript, quoted: boolean): Part {
  const length = peek(cursor) === '#' && peek(cursor, 1) !== '}';
  const indirect = peek(cursor) === '!';
  if (length || indirect) cursor.at++;
  const first = peek(cursor);
  let name = takeWhile(cursor, (each) => NAME.test(each));
  if (name === '' && /[@*#?$!-]/.test(first)) {
    name = first;
    cursor.at++;
  }
  const list = peek(cursor) === '[' ? takeWhile(cursor, (each) => each !== ']' && each !== '\n') : '';
  if (list !== '') cursor.at++;
  const operator = OPERATOR.exec(cursor.text.slice(cursor.at, cursor.at + 2))?.[0] ?? '';
  cursor.at += operator.length;
  const operand: Part[] = [];
  const start = cursor.at;
  if (cursor.depth >= DEEPEST) cursor.lost = true;
  cursor.depth++;
  while (!atEnd(cursor) && peek(cursor) !== '}' && !cursor.lost) readPart(cursor, script, operand, quoted ? -1 : start);
  cursor.depth--;
  cursor.at++;
  if (length) return { kind: 'number' };
  return { kind: 'variable', name: indirect ? `!${name}` : name, operator, operand, quoted: quoted && name !== '@' && !/^\[@/.test(list) };
}

function nested(cursor: Cursor, script: ReadScript): Script {
  if (cursor.depth >= DEEPEST) {
    cursor.lost = true;
    cursor.at = cursor.text.length;
    return [];
  }
  cursor.depth++;
  const body = script(cursor, ')');
  cursor.depth--;
  return body;
}

function backquoted(cursor: Cursor, script: ReadScript): Script {
  cursor.at++;
  let inner = '';
  while (!atEnd(cursor) && peek(cursor) !== '`') {
    if (peek(cursor) === '\\' && /[\\`$]/.test(peek(cursor, 1))) cursor.at++;
    inner += peek(cursor);
    cursor.at++;
  }
  cursor.at++;
  const within = cursorOn(inner, cursor.depth + 1);
  const body = within.lost ? [] : script(within, 'end');
  if (within.lost) cursor.lost = true;
  return body;
}

/** `$((1 << 3))` is a sum, not a here-document. One that holds a command is read as commands. */
export function skipSum(cursor: Cursor, opening: number): boolean {
  const start = cursor.at + opening;
  const limit = Math.min(cursor.text.length, start + LONGEST_SUM);
  let open = 0;
  for (let at = start; at < limit; at++) {
    const char = cursor.text[at];
    if (char === '`' || char === '\n' || (char === '$' && cursor.text[at + 1] === '(')) return false;
    if (char === '(') open++;
    if (char !== ')') continue;
    if (open > 0) open--;
    else {
      if (cursor.text[at + 1] !== ')') return false;
      cursor.at = at + 2;
      return true;
    }
  }
  return false;
}
