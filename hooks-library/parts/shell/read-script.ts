import { atEnd, type Cursor, cursorOn, DEEPEST, looksAt, peek, takeWhile } from './cursor.ts';
import { withoutMarks } from './marks.ts';
import { readRedirection, readWaiting } from './read-redirection.ts';
import { readWord, skipSum } from './read-word.ts';
import type { Assignment, Element, Pipeline, Redirection, Script, Word } from './syntax.ts';

/** Words that open, join or close something: what follows them is a command again. */
const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'esac', 'in', '!', 'time', 'coproc', '}']);
const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=/;

export interface ReadResult {
  readonly script: Script;
  /** Not all of it could be read. */
  readonly lost: boolean;
}

/** Reads a command line, each character once. What no shell would take is read as well as can be. */
export function readScript(source: string, depth = 0): ReadResult {
  const cursor = cursorOn(withoutMarks(source), depth);
  const script = cursor.lost ? [] : readList(cursor, 'end');
  return { script, lost: cursor.lost };
}

type Until = ')' | '}' | 'end';

interface Draft {
  assignments: Assignment[];
  words: Word[];
  redirections: Redirection[];
}

function readList(cursor: Cursor, until: Until): Script {
  const pipelines: Pipeline[] = [];
  let elements: Element[] = [];
  let draft = newDraft();
  const endElement = (): void => {
    const { assignments, words, redirections } = draft;
    if (assignments.length + words.length + redirections.length > 0) elements.push({ kind: 'command', assignments, words, redirections });
    draft = newDraft();
  };
  const endPipeline = (): void => {
    endElement();
    if (elements.length > 0) pipelines.push(elements);
    elements = [];
  };
  while (!atEnd(cursor) && !cursor.lost) {
    const char = peek(cursor);
    const empty = draft.words.length === 0 && draft.assignments.length === 0;
    if (char === ' ' || char === '\t' || char === '\r') cursor.at++;
    else if (looksAt(cursor, '\\\n')) cursor.at += 2;
    else if (char === '#') takeWhile(cursor, (each) => each !== '\n');
    else if (char === '\n') {
      cursor.at++;
      endPipeline();
      readWaiting(cursor);
    } else if (looksAt(cursor, '&>')) draft.redirections.push(readRedirection(cursor, readList));
    else if (looksAt(cursor, '||') || looksAt(cursor, '&&') || looksAt(cursor, ';;')) {
      cursor.at += 2;
      endPipeline();
    } else if (char === ';' || char === '&') {
      cursor.at++;
      endPipeline();
    } else if (char === '|') {
      cursor.at += peek(cursor, 1) === '&' ? 2 : 1;
      endElement();
    } else if (char === ')') {
      cursor.at++;
      endPipeline();
      if (until === ')') return pipelines;
    } else if (char === '(') {
      if (empty && looksAt(cursor, '((') && skipSum(cursor, 2)) continue;
      const defined = empty ? undefined : functionName(cursor, draft);
      if (defined !== undefined) draft = newDraft();
      const element = defined === undefined ? readGroup(cursor, '(') : readDefinition(cursor, defined);
      if (!empty && defined === undefined) endElement();
      if (element) elements.push(element);
    } else if ((char === '<' || char === '>') && peek(cursor, 1) !== '(') draft.redirections.push(readRedirection(cursor, readList));
    else if (/\d/.test(char) && /^\d{1,3}[<>]/.test(cursor.text.slice(cursor.at, cursor.at + 4)))
      draft.redirections.push(readRedirection(cursor, readList));
    else if (empty && char === '{' && /\s/.test(peek(cursor, 1))) {
      const element = readGroup(cursor, '{');
      if (element) elements.push(element);
    } else {
      const start = cursor.at;
      const word = readWord(cursor, readList);
      if (cursor.at === start) cursor.at++; // nothing that begins a word: never stand still
      const raw = cursor.text.slice(start, cursor.at);
      if (empty && raw === '}' && until === '}') {
        endPipeline();
        return pipelines;
      }
      if (empty && draft.redirections.length === 0 && KEYWORDS.has(raw)) continue;
      if (empty && (raw === 'for' || raw === 'select')) elements.push(readLoop(cursor));
      else if (empty && raw === 'case') readCase(cursor);
      else if (empty && raw === 'function') {
        const element = readDefinition(cursor, nextRaw(cursor));
        if (element) elements.push(element);
      } else if (empty && raw === '[[') readTest(cursor);
      else if (draft.words.length === 0 && ASSIGNMENT.test(raw)) draft.assignments.push(readAssignment(cursor, raw, word));
      else draft.words.push(word);
    }
  }
  endPipeline();
  return pipelines;
}

const newDraft = (): Draft => ({ assignments: [], words: [], redirections: [] });

/** `name ()`: only a plain word in front, and nothing between the brackets. */
function functionName(cursor: Cursor, { words, assignments }: Draft): string | undefined {
  if (assignments.length > 0 || words.length !== 1 || !/^\(\s*\)/.test(cursor.text.slice(cursor.at, cursor.at + 16))) return undefined;
  return plainText(words[0]);
}

export const plainText = (word: Word | undefined): string => (word ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');

function readDefinition(cursor: Cursor, name: string): Element | undefined {
  const brackets = /^\s*\(\s*\)/.exec(cursor.text.slice(cursor.at, cursor.at + 32));
  if (brackets) cursor.at += brackets[0].length;
  takeWhile(cursor, (each) => /\s/.test(each));
  const opening = peek(cursor);
  if (opening !== '{' && opening !== '(') return undefined;
  const group = readGroup(cursor, opening);
  return group?.kind === 'group' ? { kind: 'function', name, body: group.body } : undefined;
}

function readGroup(cursor: Cursor, opening: '(' | '{'): Element | undefined {
  cursor.at++;
  if (cursor.depth >= DEEPEST) {
    cursor.lost = true;
    return undefined;
  }
  cursor.depth++;
  const body = readList(cursor, opening === '(' ? ')' : '}');
  cursor.depth--;
  return { kind: 'group', body, subshell: opening === '(', redirections: readRedirections(cursor) };
}

function readRedirections(cursor: Cursor): Redirection[] {
  const found: Redirection[] = [];
  for (;;) {
    takeWhile(cursor, (each) => each === ' ' || each === '\t');
    if (
      !/^(?:\d{0,3}[<>]|&>)/.test(cursor.text.slice(cursor.at, cursor.at + 4)) ||
      /^[<>]\(/.test(cursor.text.slice(cursor.at, cursor.at + 2))
    )
      return found;
    found.push(readRedirection(cursor, readList));
  }
}

function nextRaw(cursor: Cursor): string {
  takeWhile(cursor, (each) => each === ' ' || each === '\t');
  return takeWhile(cursor, (each) => !/[\s;&|()<>]/.test(each));
}

function readLoop(cursor: Cursor): Element {
  const name = nextRaw(cursor);
  const words: Word[] = [];
  if (nextRaw(cursor) === 'in') {
    for (;;) {
      takeWhile(cursor, (each) => each === ' ' || each === '\t');
      const start = cursor.at;
      const word = readWord(cursor, readList);
      if (cursor.at === start) break;
      words.push(word);
    }
  }
  return { kind: 'loop', name, words };
}

/** `case $x in`: what follows are patterns, which read as commands without arguments, and the commands behind them. */
function readCase(cursor: Cursor): void {
  takeWhile(cursor, (each) => each === ' ' || each === '\t');
  readWord(cursor, readList);
}

/** Inside `[[ … ]]` the signs compare, and lead nowhere. */
function readTest(cursor: Cursor): void {
  while (!atEnd(cursor) && peek(cursor) !== '\n') {
    takeWhile(cursor, (each) => /[ \t<>&|()]/.test(each));
    const start = cursor.at;
    if (peek(cursor) === ';') return;
    readWord(cursor, readList);
    if (cursor.at === start || cursor.text.slice(start, cursor.at) === ']]') return;
  }
}

function readAssignment(cursor: Cursor, raw: string, word: Word): Assignment {
  const [head, name = '', plus] = ASSIGNMENT.exec(raw) ?? [''];
  const append = plus === '+';
  if (head === raw && peek(cursor) === '(') {
    cursor.at++;
    return { name, values: readArray(cursor), append };
  }
  return { name, values: [withoutHead(word, head.length)], append };
}

function readArray(cursor: Cursor): Word[] {
  const values: Word[] = [];
  while (!atEnd(cursor) && peek(cursor) !== ')') {
    takeWhile(cursor, (each) => /\s/.test(each));
    const start = cursor.at;
    const word = readWord(cursor, readList);
    if (cursor.at > start) values.push(word);
    else if (peek(cursor) !== ')') cursor.at++;
  }
  cursor.at++;
  return values;
}

/** The name and the `=` are plain characters at the head of the word; a tilde behind them is one of the shell's. */
function withoutHead(word: Word, length: number): Word {
  let left = length;
  const rest = word.flatMap((part) => {
    if (left <= 0 || part.kind !== 'text') return [part];
    const cut = part.text.slice(left);
    left -= part.text.length;
    return cut === '' && left >= 0 ? [] : [{ ...part, text: cut }];
  });
  const [first, ...others] = rest;
  if (first?.kind === 'text' && first.text === '~') return [{ kind: 'tilde', user: '' }, ...others];
  return rest;
}
