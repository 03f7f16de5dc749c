import { atEnd, type Cursor, peek } from './cursor.ts';
import { withoutMarks } from './marks.ts';

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' };
const CODE = /^(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3}))/;

/** One escape behind a backslash: what it stands for, and how long it is. */
function escapeIn(text: string, at: number): { readonly value: string; readonly length: number } {
  const char = text[at] ?? '';
  const code = CODE.exec(text.slice(at, at + 9));
  if (code) {
    const point = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16) : Number.parseInt(code[4], 8);
    // A NUL only parts words here, for `xargs -0`.
    return { value: point === 0 ? '\n' : point <= 0x10ffff ? withoutMarks(String.fromCodePoint(point)) : '', length: code[0].length };
  }
  if (char === 'c') return { value: '', length: 2 };
  return { value: LETTERS[char] ?? (char === '\\' || char === "'" || char === '"' || char === '?' ? char : `\\${char}`), length: 1 };
}

/** `$'…'`, from behind its opening quote to behind the closing one. */
export function ansiText(cursor: Cursor): string {
  let out = '';
  while (!atEnd(cursor) && peek(cursor) !== "'") {
    if (peek(cursor) !== '\\') {
      out += peek(cursor);
      cursor.at++;
      continue;
    }
    const { value, length } = escapeIn(cursor.text, cursor.at + 1);
    out += value;
    cursor.at += 1 + length;
  }
  cursor.at++;
  return out;
}

/** The escapes that `printf` and `echo -e` know. */
export function unescaped(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '\\') {
      out += text[at];
      continue;
    }
    const { value, length } = escapeIn(text, at + 1);
    out += value;
    at += length;
  }
  return out;
}
