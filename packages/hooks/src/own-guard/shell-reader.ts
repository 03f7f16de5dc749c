import type { Command, Item, Script, Word } from './shell-script.ts';
import { isTooDeep, readWord, type Scan, WordReader } from './word-reader.ts';

interface HereDocument {
  readonly end: string;
  readonly tabs: boolean;
  /** Quoted: nothing in it is expanded. */
  readonly verbatim: boolean;
  readonly command: Command;
}

const newCommand = (): Command => ({ words: [], writes: [], reads: [], fed: [] });

/** Reads a whole command line. Never throws, and takes as long as the text: what makes no sense is read as best it can. */
export function readShell(text: string): Script {
  return readScript({ text, at: 0, depth: 0 });
}

/** From behind a `$(`, up to its `)`; else to the end. */
function readScript(scan: Scan): Script {
  if (isTooDeep(scan)) {
    const rest = scan.text.slice(scan.at);
    scan.at = scan.text.length;
    return [{ kind: 'unread', text: rest }];
  }
  return new ScriptReader(scan).read();
}

class ScriptReader {
  readonly #scan: Scan;
  readonly #items: Item[] = [];
  readonly #word = new WordReader(readScript);
  #command = newCommand();
  #piped = false;
  #open = 0;
  #documents: HereDocument[] = [];
  /** Does the present command wait for one of them? */
  #waits = false;
  /** What the next word is: one of the command, or behind a redirection. */
  #next: 'word' | 'write' | 'write-or-copy' | 'read' | 'fed' | 'document' | 'document-tabs' = 'word';

  constructor(scan: Scan) {
    this.#scan = scan;
  }

  read(): Script {
    const scan = this.#scan;
    const { text } = scan;
    while (scan.at < text.length) {
      if (this.#word.special(scan)) continue;
      const char = text[scan.at] as string;
      scan.at += 1;
      if (char === ')' && this.#open === 0 && scan.depth > 0) break;
      this.#step(char);
    }
    this.#endCommand(false);
    return this.#items;
  }

  #step(char: string): void {
    const { text } = this.#scan;
    switch (char) {
      case ' ':
      case '\t':
      case '\r':
        return this.#endWord();
      case '\n':
        this.#endCommand(false);
        return this.#readDocuments();
      case '#':
        if (this.#word.begun) return this.#word.add(char, false);
        this.#scan.at = orEnd(text.indexOf('\n', this.#scan.at), text);
        return;
      case ';':
        return this.#endCommand(false);
      case '&':
        if (text[this.#scan.at] === '>') return this.#endWord(); // &> file
        return this.#endCommand(false);
      case '|':
        return this.#pipe();
      case '(':
        if (this.#word.isAssignment) return this.#word.array(this.#scan);
        this.#endCommand(false);
        this.#items.push({ kind: 'open' });
        this.#open += 1;
        return;
      case ')':
        this.#endCommand(false);
        if (this.#open > 0) this.#items.push({ kind: 'close' });
        this.#open = Math.max(0, this.#open - 1);
        return;
      case '<':
      case '>':
        return this.#redirect(char);
      default:
        this.#scan.at -= 1;
        return this.#word.letters(this.#scan);
    }
  }

  #pipe(): void {
    const or = this.#scan.text[this.#scan.at] === '|';
    if (or || this.#scan.text[this.#scan.at] === '&') this.#scan.at += 1;
    this.#endCommand(!or);
  }

  #redirect(char: '<' | '>'): void {
    const scan = this.#scan;
    const rest = scan.text.slice(scan.at, scan.at + 2);
    if (rest[0] === '(') return this.#word.output(scan, scan.at + 1);
    if (this.#word.isNumber) this.#word.take();
    this.#endWord();
    const [next, length] = char === '<' ? inputOf(rest) : outputOf(rest);
    this.#next = next;
    scan.at += length;
  }

  #endWord(): void {
    if (!this.#word.begun) return;
    const word = this.#word.take();
    const next = this.#next;
    this.#next = 'word';
    switch (next) {
      case 'word':
        this.#command.words.push(word);
        return;
      case 'write':
        this.#command.writes.push(word);
        return;
      case 'write-or-copy':
        if (!namesDescriptor(word)) this.#command.writes.push(word);
        return;
      case 'read':
        this.#command.reads.push(word);
        return;
      case 'fed':
        this.#command.fed.push(word);
        return;
      case 'document':
      case 'document-tabs':
        this.#waits = true;
        this.#documents.push({
          end: word.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
          tabs: next === 'document-tabs',
          verbatim: word.some((part) => part.kind === 'text' && part.quoted),
          command: this.#command,
        });
    }
  }

  #endCommand(pipes: boolean): void {
    this.#endWord();
    this.#next = 'word';
    const { words, writes, reads, fed } = this.#command;
    const isSaid = words.length + writes.length + reads.length + fed.length > 0 || this.#waits;
    this.#waits = false;
    if (isSaid) this.#items.push({ kind: 'command', command: this.#command, piped: this.#piped });
    if (isSaid || pipes) this.#piped = pipes;
    this.#command = newCommand();
  }

  /** The bodies of the here-documents that the line before asked for. */
  #readDocuments(): void {
    const scan = this.#scan;
    for (const { end, tabs, verbatim, command } of this.#documents) {
      const from = scan.at;
      let until = from;
      while (scan.at < scan.text.length) {
        until = scan.at;
        const stop = orEnd(scan.text.indexOf('\n', scan.at), scan.text);
        const line = scan.text.slice(scan.at, stop);
        scan.at = stop + 1;
        if ((tabs ? line.replace(/^\t+/, '') : line) === end) break;
        until = Math.min(scan.at, scan.text.length);
      }
      command.fed.push(bodyOf(scan.text.slice(from, until), verbatim, scan.depth));
    }
    this.#documents = [];
  }
}

const bodyOf = (text: string, verbatim: boolean, depth: number): Word =>
  verbatim ? [{ kind: 'text', text, quoted: true }] : readWord(text.replaceAll(/["']/g, '\\$&'), depth + 1, readScript);

function inputOf(rest: string): readonly ['fed' | 'document' | 'document-tabs' | 'write' | 'read', number] {
  if (rest === '<<') return ['fed', 2];
  if (rest === '<-') return ['document-tabs', 2];
  if (rest[0] === '<') return ['document', 1];
  if (rest[0] === '>') return ['write', 1];
  return ['read', rest[0] === '&' ? 1 : 0];
}

function outputOf(rest: string): readonly ['write' | 'write-or-copy', number] {
  if (rest[0] === '&') return ['write-or-copy', 1];
  return ['write', rest[0] === '>' || rest[0] === '|' ? 1 : 0];
}

/** `2>&1` and `2>&-` write no file. */
const namesDescriptor = ([part, more]: Word): boolean => more === undefined && part?.kind === 'text' && /^(?:\d+-?|-)$/.test(part.text);

const orEnd = (at: number, text: string): number => (at < 0 ? text.length : at);
