import { endOfBraces, endOfQuote, hereDocument, skipLines } from './shell-text.ts';

export interface ShellWord {
  /** Without its quotes; `$NAME` stands as it is written. */
  readonly text: string;
  /** The shell puts something else in its place. */
  readonly dynamic: boolean;
}

/** One program with its arguments. */
export interface SimpleCommand {
  /** The first is the program; assignments before it and redirections are left out. */
  readonly words: readonly ShellWord[];
  /** How many lines stand before it. */
  readonly line: number;
}

export interface ShellReading {
  readonly commands: readonly SimpleCommand[];
  /** Functions that the text itself defines. */
  readonly functions: ReadonlySet<string>;
}

/** Before a command, and no command themselves. */
const LEADS = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', 'time']);
const ENDS = new Set(['fi', 'done', '}']);
/** A file of strangers may nest as deep as it likes; people do not. */
const DEEPEST = 32;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/**
 * The commands that a shell text could run, those inside of `$(…)` too. It is no shell: it is meant to find programs for
 * a person to look at, and leaves out what it cannot tell.
 */
export function readShell(source: string): ShellReading {
  const commands: SimpleCommand[] = [];
  const functions = new Set<string>();
  read(source, 0, 0, 0);
  return { commands, functions };

  /** Reads from `at` to the end, or to the `)` that closes a substitution; gives back where it stopped. */
  function read(text: string, start: number, lineBefore: number, depth: number, inner = false): { at: number; line: number } {
    if (depth > DEEPEST) return { at: text.length, line: lineBefore };
    let at = start;
    let line = lineBefore;
    let words: ShellWord[] = [];
    let firstLine = line;
    let word: { text: string; dynamic: boolean } | undefined;
    let isTarget = false;
    let patterns = false;
    let cases = 0;
    let pending: string[] = [];

    const put = (piece: string, dynamic = false): void => {
      if (word === undefined && words.length === 0) firstLine = line;
      word = { text: (word?.text ?? '') + piece, dynamic: (word?.dynamic ?? false) || dynamic };
    };
    const endWord = (): void => {
      if (word === undefined) return;
      const done = word;
      word = undefined;
      if (isTarget) {
        isTarget = false;
        return;
      }
      if (words.length === 0 && !patterns) {
        if (LEADS.has(done.text) || ASSIGNMENT.test(done.text)) return;
        if (ENDS.has(done.text)) return;
      }
      if (done.text === 'esac' && words.length === 0 && cases > 0) {
        cases--;
        patterns = false;
        return;
      }
      words.push(done);
      if (words[0]?.text === 'case' && done.text === 'in' && words.length > 1) {
        words = [];
        cases++;
        patterns = true;
      }
    };
    const endCommand = (): void => {
      endWord();
      isTarget = false;
      if (words.length > 0 && !patterns) commands.push({ words, line: firstLine });
      if (!patterns) words = [];
    };

    while (at < text.length) {
      const char = text[at] as string;
      const rest = text.slice(at, at + 3);
      if (char === '\n') {
        endCommand();
        at++;
        line++;
        const skipped = skipLines(text, at, pending);
        pending = [];
        line += skipped.lines;
        at = skipped.at;
      } else if (char === '\\') {
        if (text[at + 1] === '\n') line++;
        else if (at + 1 < text.length) put(text[at + 1] as string);
        at += 2;
      } else if (/\s/.test(char)) {
        endWord();
        at++;
      } else if (char === '#' && word === undefined) {
        while (at < text.length && text[at] !== '\n') at++;
      } else if (char === "'") {
        const end = endOfQuote(text, at, "'");
        put(text.slice(at + 1, end));
        line += linesIn(text, at, end);
        at = end + 1;
      } else if (char === '"') {
        put('');
        at++;
        while (at < text.length && text[at] !== '"') {
          if (text[at] === '$' || text[at] === '`') at = substitution(at);
          else {
            if (text[at] === '\\' && at + 1 < text.length) at++;
            if (text[at] === '\n') line++;
            put(text[at] as string);
            at++;
          }
        }
        at++;
      } else if (char === '$' || char === '`') at = substitution(at);
      else if (rest.startsWith('((') && word === undefined) {
        const end = text.indexOf('))', at);
        line += linesIn(text, at, end);
        at = end === -1 ? text.length : end + 2;
      } else if (rest.startsWith('[[') && word === undefined && words.length === 0) {
        const end = text.indexOf(']]', at);
        line += linesIn(text, at, end);
        at = end === -1 ? text.length : end + 2;
      } else if (char === '(') {
        if (/^\(\s*\)/.test(text.slice(at, at + 8)) && word !== undefined && words.length === 0) {
          functions.add(word.text);
          word = undefined;
          at = text.indexOf(')', at) + 1;
        } else {
          endCommand();
          at++;
        }
      } else if (char === ')') {
        if (patterns) {
          word = undefined;
          words = [];
          patterns = false;
        } else {
          endCommand();
          if (inner) return { at: at + 1, line };
        }
        at++;
      } else if (char === '<' || char === '>' || (char === '&' && text[at + 1] === '>')) at = redirection(at);
      else if (char === ';' || char === '|' || char === '&') {
        if (patterns && char === '|') endWord();
        else endCommand();
        if (rest.startsWith(';;') && cases > 0) patterns = true;
        at += rest.startsWith(';;') ? 2 : 1;
      } else {
        put(char);
        at++;
      }
    }
    endCommand();
    return { at, line };

    function redirection(from: number): number {
      if (word !== undefined && /^\d+$/.test(word.text)) word = undefined;
      endWord();
      const here = hereDocument(text.slice(from, from + 200));
      if (here !== undefined) {
        pending.push(here.until);
        return from + here.length;
      }
      if (/^[<>]\(/.test(text.slice(from, from + 2))) return nested(from + 2);
      isTarget = true;
      return from + (/^(?:&>>?|<<<|[<>]&|>>|<>|>\||[<>])/.exec(text.slice(from, from + 3))?.[0].length ?? 1);
    }

    /** `$NAME`, `${…}`, `$(…)`, `$((…))` or a pair of backticks. */
    function substitution(from: number): number {
      const ahead = text.slice(from, from + 3);
      if (ahead.startsWith('$((')) {
        const end = text.indexOf('))', from);
        put('', true);
        return end === -1 ? text.length : end + 2;
      }
      if (ahead.startsWith('$(')) return nested(from + 2);
      if (ahead.startsWith('`')) {
        const end = endOfQuote(text, from, '`');
        read(text.slice(from + 1, end).replaceAll('\\`', '`'), 0, line, depth + 1);
        put('', true);
        line += linesIn(text, from, end);
        return end + 1;
      }
      if (ahead.startsWith('${')) {
        const end = endOfBraces(text, from + 2);
        put(text.slice(from, end), true);
        return end;
      }
      const name = /^\$(?:[A-Za-z_]\w*|.)?/.exec(text.slice(from, from + 80))?.[0] ?? '$';
      put(name, name.length > 1);
      return from + name.length;
    }

    function nested(from: number): number {
      put('', true);
      const { at: end, line: reached } = read(text, from, line, depth + 1, true);
      line = reached;
      return end;
    }
  }
}

const linesIn = (text: string, from: number, to: number): number => text.slice(from, to === -1 ? text.length : to).split('\n').length - 1;
