import { ansiEscape } from './ansi-quote.ts';
import type { Part, Script, Word } from './shell-script.ts';

/** Where we are in a text. Every step goes forward, so reading takes as long as the text. */
export interface Scan {
  readonly text: string;
  at: number;
  readonly depth: number;
}

/** Reads a script from where a scan is up to the `)` that ends it, or to the end. */
export type ReadScript = (scan: Scan) => Script;

const DEEPEST = 16;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Characters that mean nothing: taken in one go. */
const IN_QUOTES = /[^"$`\\]+/y;
const IN_WORD = /[^\\'"$`]+/y;
const IN_COMMAND = /[^\s#;&|()<>\\'"$`]+/y;

/** What stands here and means nothing, or else the one character that does. */
function runOf(scan: Scan, plain: RegExp): string {
  plain.lastIndex = scan.at;
  const run = plain.exec(scan.text)?.[0] ?? (scan.text[scan.at] as string);
  scan.at += run.length;
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

  /** Is it `name=` so far, as before the values of an array? */
  get isAssignment(): boolean {
    return this.#parts.length === 0 && !this.#quoted && /^[A-Za-z_]\w*\+?=$/.test(this.#text);
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
  letters(scan: Scan): void {
    this.add(runOf(scan, IN_COMMAND), false);
  }

  /** A quote, a backslash, `$` or a backtick. False: it is something else. */
  special(scan: Scan): boolean {
    const { text } = scan;
    switch (text[scan.at]) {
      case '\\':
        if (text[scan.at + 1] !== '\n') this.add(text[scan.at + 1] ?? '', true);
        scan.at += 2;
        return true;
      case "'": {
        const end = text.indexOf("'", scan.at + 1);
        this.add(text.slice(scan.at + 1, end < 0 ? undefined : end), true);
        scan.at = end < 0 ? text.length : end + 1;
        return true;
      }
      case '"':
        scan.at += 1;
        this.#double(scan);
        return true;
      case '$':
        this.#dollar(scan, false);
        return true;
      case '`':
        this.#backtick(scan);
        return true;
      default:
        return false;
    }
  }

  #double(scan: Scan): void {
    const { text } = scan;
    this.add('', true);
    while (scan.at < text.length) {
      const char = text[scan.at] as string;
      if (char === '"') {
        scan.at += 1;
        return;
      }
      if (char === '$') this.#dollar(scan, true);
      else if (char === '`') this.#backtick(scan);
      else if (char === '\\' && /[$`"\\\n]/.test(text[scan.at + 1] ?? '')) {
        if (text[scan.at + 1] !== '\n') this.add(text[scan.at + 1] as string, true);
        scan.at += 2;
      } else this.add(runOf(scan, IN_QUOTES), true);
    }
  }

  #dollar(scan: Scan, quoted: boolean): void {
    const { text, at } = scan;
    const next = text[at + 1];
    if (next === "'" && !quoted) return this.#ansi(scan);
    if (next === '(') return this.#output(scan, at + 2);
    if (next === '{') return this.#braced(scan, !quoted);
    NAME.lastIndex = at + 1;
    const name = NAME.exec(text)?.[0];
    if (name !== undefined) this.#part({ kind: 'variable', name, splits: !quoted });
    else if (next === '"' && !quoted)
      this.add('', true); // a text to be translated
    else if (next !== undefined && /[0-9@*#?$!-]/.test(next)) this.#part({ kind: 'variable', name: next, splits: !quoted });
    else this.add('$', true);
    const special = name === undefined && next !== undefined && /[0-9@*#?$!-]/.test(next) ? 1 : 0;
    scan.at = at + 1 + (name?.length ?? special);
  }

  #ansi(scan: Scan): void {
    const { text } = scan;
    this.add('', true);
    scan.at += 2;
    while (scan.at < text.length && text[scan.at] !== "'") {
      if (text[scan.at] === '\\') {
        const meant = ansiEscape(text, scan.at + 1);
        this.add(meant.text, true);
        scan.at += 1 + meant.length;
      } else this.add(text[scan.at++] as string, true);
    }
    scan.at += 1;
  }

  /** `$(…)`, or `<(…)` and `>(…)`, whose commands begin at `from`. */
  output(scan: Scan, from: number): void {
    this.#output(scan, from);
  }

  #output(scan: Scan, from: number): void {
    this.#part({ kind: 'output', script: this.#inner(scan, from) });
  }

  /** The values of an array, from behind its `(`. */
  array(scan: Scan): void {
    this.#part({ kind: 'array', script: this.#inner(scan, scan.at) });
  }

  #inner(scan: Scan, from: number): Script {
    const inner: Scan = { text: scan.text, at: from, depth: scan.depth + 1 };
    const script = this.#readScript(inner);
    scan.at = inner.at;
    return script;
  }

  #backtick(scan: Scan): void {
    const { text, depth } = scan;
    let inner = '';
    scan.at += 1;
    while (scan.at < text.length && text[scan.at] !== '`') {
      if (text[scan.at] === '\\') scan.at += 1;
      inner += text[scan.at] ?? '';
      scan.at += 1;
    }
    scan.at += 1;
    this.#part({ kind: 'output', script: this.#readScript({ text: inner, at: 0, depth: depth + 1 }) });
  }

  /** `${name}` and its forms. Of what stands behind the name only a value for want of another is read. */
  #braced(scan: Scan, splits: boolean): void {
    const { text, depth } = scan;
    const from = scan.at + 2;
    let open = 1;
    let end = from;
    for (; end < text.length; end++) {
      if (text[end] === '{') open += 1;
      else if (text[end] === '}' && --open === 0) break;
    }
    scan.at = end + 1;
    const body = text.slice(from, end);
    const [, name = '', operator, rest = ''] = /^[!#]?([A-Za-z_][A-Za-z0-9_]*|.)(:?[-=+])?([\s\S]*)$/.exec(body) ?? [];
    if (operator === undefined || depth >= DEEPEST) return this.#part({ kind: 'variable', name, splits });
    this.#part({ kind: 'variable', name, splits, otherwise: readWord(rest, depth + 1, this.#readScript) });
  }
}

/** A text that is one word, spaces and all. */
export function readWord(text: string, depth: number, readScript: ReadScript): Word {
  const reader = new WordReader(readScript);
  const scan: Scan = { text, at: 0, depth };
  while (scan.at < text.length) if (!reader.special(scan)) reader.add(runOf(scan, IN_WORD), false);
  return reader.take();
}

export const isTooDeep = (scan: Scan): boolean => scan.depth > DEEPEST;
