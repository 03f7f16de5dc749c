import { ansiEscape } from './ansi-quote.ts';
import type { Part, Script, Word } from './shell-script.ts';

/** Where we are in a text. Every step goes forward, so reading takes as long as the text. */
export interface Cursor {
  readonly text: string;
  at: number;
  readonly depth: number;
}

/** Reads a script from a cursor up to the `)` that ends it, or to the end. */
export type ReadScript = (cursor: Cursor) => Script;

const DEEPEST = 16;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Characters that mean nothing: taken in one go. */
const IN_QUOTES = /[^"$`\\]+/y;
const IN_WORD = /[^\\'"$`]+/y;
const IN_COMMAND = /[^\s#;&|()<>\\'"$`]+/y;

/** What stands here and means nothing, or else the one character that does. */
function runOf(cursor: Cursor, plain: RegExp): string {
  plain.lastIndex = cursor.at;
  const run = plain.exec(cursor.text)?.[0] ?? (cursor.text[cursor.at] as string);
  cursor.at += run.length;
  return run;
}

/** Puts a word together from its pieces. */
export class WordReader {
  readonly #readScript: ReadScript;
  #parts: Part[] = [];
  #text = '';
  #quoted = false;
  #begun = false;

  constructor(readScript: ReadScript) {
    this.#readScript = readScript;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Is it a number so far, as before `>`? */
  get isNumber(): boolean {
    return this.#parts.length === 0 && !this.#quoted && /^\d+$/.test(this.#text);
  }

  add(text: string, quoted: boolean): void {
    this.#begun = true;
    if (quoted !== this.#quoted) this.#flush();
    this.#quoted = quoted;
    this.#text += text;
  }

  take(): Word {
    this.#flush();
    const parts = this.#parts;
    this.#parts = [];
    this.#begun = false;
    this.#quoted = false;
    return parts;
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push({ kind: 'text', text: this.#text, quoted: this.#quoted });
    this.#text = '';
  }

  #part(part: Part): void {
    this.#begun = true;
    this.#flush();
    this.#parts.push(part);
  }

  /** Plain letters of a command, from here on. */
  letters(cursor: Cursor): void {
    this.add(runOf(cursor, IN_COMMAND), false);
  }

  /** A quote, a backslash, `$` or a backtick. False: it is something else. */
  special(cursor: Cursor): boolean {
    const { text } = cursor;
    switch (text[cursor.at]) {
      case '\\':
        if (text[cursor.at + 1] !== '\n') this.add(text[cursor.at + 1] ?? '', true);
        cursor.at += 2;
        return true;
      case "'": {
        const end = text.indexOf("'", cursor.at + 1);
        this.add(text.slice(cursor.at + 1, end < 0 ? undefined : end), true);
        cursor.at = end < 0 ? text.length : end + 1;
        return true;
      }
      case '"':
        cursor.at += 1;
        this.#double(cursor);
        return true;
      case '$':
        this.#dollar(cursor, false);
        return true;
      case '`':
        this.#backtick(cursor);
        return true;
      default:
        return false;
    }
  }

  #double(cursor: Cursor): void {
    const { text } = cursor;
    this.add('', true);
    while (cursor.at < text.length) {
      const char = text[cursor.at] as string;
      if (char === '"') {
        cursor.at += 1;
        return;
      }
      if (char === '$') this.#dollar(cursor, true);
      else if (char === '`') this.#backtick(cursor);
      else if (char === '\\' && /[$`"\\\n]/.test(text[cursor.at + 1] ?? '')) {
        if (text[cursor.at + 1] !== '\n') this.add(text[cursor.at + 1] as string, true);
        cursor.at += 2;
      } else this.add(runOf(cursor, IN_QUOTES), true);
    }
  }

  #dollar(cursor: Cursor, quoted: boolean): void {
    const { text, at } = cursor;
    const next = text[at + 1];
    if (next === "'" && !quoted) return this.#ansi(cursor);
    if (next === '(') return this.#output(cursor, at + 2);
    if (next === '{') return this.#braced(cursor);
    NAME.lastIndex = at + 1;
    const name = NAME.exec(text)?.[0];
    if (name !== undefined) this.#part({ kind: 'variable', name });
    else if (next === '"' && !quoted)
      this.add('', true); // a text to be translated
    else if (next !== undefined && /[0-9@*#?$!-]/.test(next)) this.#part({ kind: 'variable', name: next });
    else this.add('$', true);
    const special = name === undefined && next !== undefined && /[0-9@*#?$!-]/.test(next) ? 1 : 0;
    cursor.at = at + 1 + (name?.length ?? special);
  }

  #ansi(cursor: Cursor): void {
    const { text } = cursor;
    this.add('', true);
    cursor.at += 2;
    while (cursor.at < text.length && text[cursor.at] !== "'") {
      if (text[cursor.at] === '\\') {
        const meant = ansiEscape(text, cursor.at + 1);
        this.add(meant.text, true);
        cursor.at += 1 + meant.length;
      } else this.add(text[cursor.at++] as string, true);
    }
    cursor.at += 1;
  }

  /** `$(…)`, or `<(…)` and `>(…)`, whose commands begin at `from`. */
  output(cursor: Cursor, from: number): void {
    this.#output(cursor, from);
  }

  #output(cursor: Cursor, from: number): void {
    const inner: Cursor = { text: cursor.text, at: from, depth: cursor.depth + 1 };
    this.#part({ kind: 'output', script: this.#readScript(inner) });
    cursor.at = inner.at;
  }

  #backtick(cursor: Cursor): void {
    const { text, depth } = cursor;
    let inner = '';
    cursor.at += 1;
    while (cursor.at < text.length && text[cursor.at] !== '`') {
      if (text[cursor.at] === '\\') cursor.at += 1;
      inner += text[cursor.at] ?? '';
      cursor.at += 1;
    }
    cursor.at += 1;
    this.#part({ kind: 'output', script: this.#readScript({ text: inner, at: 0, depth: depth + 1 }) });
  }

  /** `${name}` and its forms. Of what stands behind the name only a value for want of another is read. */
  #braced(cursor: Cursor): void {
    const { text, depth } = cursor;
    const from = cursor.at + 2;
    let open = 1;
    let end = from;
    for (; end < text.length; end++) {
      if (text[end] === '{') open += 1;
      else if (text[end] === '}' && --open === 0) break;
    }
    cursor.at = end + 1;
    const body = text.slice(from, end);
    const [, name = '', operator, rest = ''] = /^[!#]?([A-Za-z_][A-Za-z0-9_]*|.)(:?[-=+])?([\s\S]*)$/.exec(body) ?? [];
    if (operator === undefined || depth >= DEEPEST) return this.#part({ kind: 'variable', name });
    this.#part({ kind: 'variable', name, otherwise: readWord(rest, depth + 1, this.#readScript) });
  }
}

/** A text that is one word, spaces and all. */
export function readWord(text: string, depth: number, readScript: ReadScript): Word {
  const reader = new WordReader(readScript);
  const cursor: Cursor = { text, at: 0, depth };
  while (cursor.at < text.length) if (!reader.special(cursor)) reader.add(runOf(cursor, IN_WORD), false);
  return reader.take();
}

export const isTooDeep = (cursor: Cursor): boolean => cursor.depth > DEEPEST;
