import { readSum } from './read-expansion.ts';
import { readDocuments, readRedirection } from './read-redirection.ts';
import { endOf, readArray, readInside, readValue, readWord, unread } from './read-word.ts';
import { DEEPEST, isAt, LINES, type Scan, scanOn, skipBlanks, take } from './scan.ts';
import type { Assignment, Element, Group, Pipeline, Redirection, Script, Word } from './syntax.ts';

type Until = ')' | '}' | 'closer' | 'end';
/** Reads up to and over what ends it: given to the readers of words, since words hold scripts and scripts hold words. */
export type ReadList = (scan: Scan, until: Until) => Script;

export interface ReadResult {
  readonly script: Script;
  /** False where something was nested too deeply to be read. */
  readonly complete: boolean;
}

/** Reads a command line, in the time that its length takes. Never throws: what no shell would take is read as well as can be. */
export function readShell(text: string): ReadResult {
  const scan = scanOn(text);
  const script = readList(scan, 'end');
  return { script, complete: scan.reading.complete };
}

/** Words that only join: what follows them is a command again. */
const JOINING = new Set(['then', 'elif', 'else', 'do', '!', 'time', 'coproc']);
const OPENING = new Set(['if', 'while', 'until', 'for', 'select', 'case']);
const CLOSING = new Set(['fi', 'done', 'esac']);
const ASSIGNMENT = /([A-Za-z_]\w*)(?:\[([^\]\n]*)\])?(\+?)=/y;
const TIME_OPTION = /[ \t]+-p(?=[ \t\n])/y;
const COPROCESS_NAME = /[ \t]+[A-Za-z_]\w*(?=[ \t]+(?:[{(]|(?:while|until|for|if|case|select)[ \t\n]))/y;
const EMPTY_BRACKETS = /[ \t]*\([ \t]*\)/y;
const SIGNS = /;;&|;;|;&|\|\||&&|;|&(?!>)/y;

const MAY_REDIRECT = '<>&{0123456789';

interface Draft {
  at: number;
  assignments: Assignment[];
  words: Word[];
  redirections: Redirection[];
}

/** One plain word and nothing else: with brackets behind it, a function. */
const isName = ({ assignments, words, redirections }: Draft): boolean =>
  words.length === 1 && assignments.length + redirections.length === 0 && words[0]?.length === 1 && words[0][0]?.kind === 'text';

function readList(scan: Scan, until: Until): Script {
  const { text } = scan;
  const pipelines: Pipeline[] = [];
  let elements: Element[] = [];
  /** How many elements stood before the last `|`. */
  let piped = -1;
  let draft: Draft | undefined;
  const begin = (at: number): Draft => {
    draft ??= { at: scan.from + at, assignments: [], words: [], redirections: [] };
    return draft;
  };
  const endElement = (): void => {
    if (draft !== undefined) {
      const { at, assignments, words, redirections } = draft;
      elements.push({ kind: 'command', at, assignments, words, redirections });
    }
    draft = undefined;
  };
  const endPipeline = (): void => {
    endElement();
    if (elements.length > 0) pipelines.push(elements);
    elements = [];
    piped = -1;
  };
  while (scan.at < text.length) {
    skipBlanks(scan);
    const start = scan.at;
    const char = text[start];
    switch (char) {
      case undefined:
        continue;
      case '\n':
        scan.at++;
        // A pipe may go on in the next line.
        if (draft !== undefined || elements.length !== piped) endPipeline();
        readDocuments(scan, readList);
        continue;
      case '#':
        scan.at = endOf(text, '\n', start);
        continue;
      case '|':
        if (text[start + 1] !== '|') {
          scan.at += text[start + 1] === '&' ? 2 : 1;
          endElement();
          piped = elements.length;
          continue;
        }
        break;
      case ')':
        if (until === 'closer' && scan.depth > 0) {
          endPipeline();
          return pipelines;
        }
        scan.at++;
        endPipeline();
        if (until === ')') return pipelines;
        continue;
      case '(':
        if (draft === undefined) {
          elements.push(...readBrackets(scan));
          continue;
        }
        if (isAt(scan, EMPTY_BRACKETS) && isName(draft)) {
          const { at } = draft;
          draft = undefined;
          elements.push(...readDefinition(scan, text.slice(at - scan.from, start).trimEnd()));
        }
        // Else nothing that a shell would take: what follows is read as if it stood alone.
        else endElement();
        continue;
      case '!':
        if (draft !== undefined || text[start + 1] !== '(') break;
        scan.at++;
        continue;
    }
    // A look at the character first: most begin a word, and every pattern that is tried costs.
    const sign = char === ';' || char === '&' || char === '|' ? take(scan, SIGNS) : '';
    if (sign !== '') {
      endPipeline();
      if (until === 'closer' && sign.startsWith(';') && sign.length > 1) pipelines.push(...readPatterns(scan));
      continue;
    }
    const redirection = MAY_REDIRECT.includes(char) ? readRedirection(scan, readList) : undefined;
    if (redirection !== undefined) {
      begin(start).redirections.push(redirection);
      continue;
    }
    if (draft === undefined || draft.words.length === 0) {
      const assignment = readAssignment(scan);
      if (assignment !== undefined) {
        begin(start).assignments.push(assignment);
        continue;
      }
    }
    const word = readWord(scan, readList);
    if (scan.at === start) {
      scan.at++; // nothing that begins a word: never stand still
      continue;
    }
    if (word.length === 0) continue;
    if (draft !== undefined) {
      draft.words.push(word);
      continue;
    }
    const raw = text.slice(start, scan.at);
    if (raw === '{' || OPENING.has(raw)) elements.push(readGroup(scan, raw as Group['opener']));
    else if (JOINING.has(raw)) {
      if (raw === 'time') take(scan, TIME_OPTION);
      else if (raw === 'coproc') take(scan, COPROCESS_NAME);
    } else if (raw === '}') {
      if (until === '}' || (until === 'closer' && scan.braces > 0)) {
        if (until === 'closer') scan.at = start;
        endPipeline();
        return pipelines;
      }
    } else if (CLOSING.has(raw)) {
      if (until !== 'closer') continue;
      endPipeline();
      return pipelines;
    } else if (raw === '[[') elements.push(readTest(scan));
    else if (raw === 'function') {
      skipBlanks(scan);
      elements.push(...readDefinition(scan, take(scan, FUNCTION_NAME)));
    } else begin(start).words.push(word);
  }
  endPipeline();
  return pipelines;
}

const FUNCTION_NAME = /[^ \t\n;&|()<>]+/y;

/** `( … )` or `(( … ))`. */
function readBrackets(scan: Scan): Element[] {
  scan.at++;
  const sum = scan.text[scan.at] === '(' ? readSum(scan, readList) : undefined;
  return [sum === undefined ? readGroup(scan, '(') : { kind: 'operands', words: [sum] }];
}

/** From behind what opens it. */
function readGroup(scan: Scan, opener: Group['opener']): Element {
  if (scan.depth >= DEEPEST) return { kind: 'group', opener, body: unread(scan), redirections: [] };
  scan.depth++;
  if (opener === '{') scan.braces++;
  const head = opener === 'for' || opener === 'select' ? readLoop(scan) : opener === 'case' ? readCase(scan) : [];
  const rest = readList(scan, opener === '(' ? ')' : opener === '{' ? '}' : 'closer');
  if (opener === '{') scan.braces--;
  scan.depth--;
  return { kind: 'group', opener, body: head.length === 0 ? rest : [...head, ...rest], redirections: readRedirections(scan) };
}

function readRedirections(scan: Scan): Redirection[] {
  const found: Redirection[] = [];
  for (;;) {
    skipBlanks(scan);
    const redirection = readRedirection(scan, readList);
    if (redirection === undefined) return found;
    found.push(redirection);
  }
}

/** From behind the name of a function; without a body it is a name and no more. */
function readDefinition(scan: Scan, name: string): Element[] {
  take(scan, EMPTY_BRACKETS);
  take(scan, LINES);
  const opener = scan.text[scan.at];
  if (opener === '(') {
    const body = readBrackets(scan);
    return [{ kind: 'function', name, body: [body] }];
  }
  const word = take(scan, BODY);
  if (word === '') return [{ kind: 'function', name, body: [] }];
  return [{ kind: 'function', name, body: [[readGroup(scan, word as Group['opener'])]] }];
}
const BODY = /(?:\{|if|while|until|for|select|case)(?=[ \t\n(;&|<>])/y;

const IN = /in(?=[ \t\n;&|()<>]|$)/y;
const VARIABLE = /[A-Za-z_]\w*/y;

function readLoop(scan: Scan): Script {
  skipBlanks(scan);
  if (scan.text.startsWith('((', scan.at)) {
    scan.at++;
    const sum = readSum(scan, readList);
    return sum === undefined ? [] : [[{ kind: 'operands', words: [sum] }]];
  }
  const name = take(scan, VARIABLE);
  take(scan, LINES);
  if (take(scan, IN) === '') return [[{ kind: 'loop', name, words: [EACH_ARGUMENT] }]];
  return [[{ kind: 'loop', name, words: readWords(scan) }]];
}
const EACH_ARGUMENT: Word = [{ kind: 'variable', name: '@', operator: '', operand: [], quoted: true, source: '$@' }];

function readWords(scan: Scan): Word[] {
  const words: Word[] = [];
  for (;;) {
    skipBlanks(scan);
    const start = scan.at;
    if (scan.text[start] === '#') return words;
    const word = readWord(scan, readList);
    if (scan.at === start) return words;
    words.push(word);
  }
}

/** `case word in` and the first patterns. */
function readCase(scan: Scan): Script {
  take(scan, LINES);
  const word = readWord(scan, readList);
  take(scan, LINES);
  if (take(scan, IN) === '') return [[{ kind: 'operands', words: [word] }]];
  return [[{ kind: 'operands', words: [word] }], ...readPatterns(scan)];
}

/** From behind `in` or `;;` to behind the bracket. */
function readPatterns(scan: Scan): Script {
  const { text } = scan;
  const words: Word[] = [];
  for (;;) {
    take(scan, LINES);
    if (text[scan.at] === '#') {
      scan.at = endOf(text, '\n', scan.at);
      continue;
    }
    if (words.length === 0 && isAt(scan, ESAC)) return [];
    const start = scan.at;
    const word = readWord(scan, readList);
    if (scan.at > start) words.push(word);
    else if (text[start] === ')') {
      scan.at++;
      break;
    } else if (text[start] === '|' || (text[start] === '(' && words.length === 0)) scan.at++;
    else break;
  }
  return words.length === 0 ? [] : [[{ kind: 'operands', words }]];
}
const ESAC = /esac(?=[ \t\n;&|)]|$)/y;

/** Inside `[[ … ]]` the signs compare, and lead nowhere. */
function readTest(scan: Scan): Element {
  const words: Word[] = [];
  for (;;) {
    take(scan, TEST_SIGNS);
    const start = scan.at;
    const word = readWord(scan, readList);
    if (scan.at === start || scan.text.slice(start, scan.at) === ']]') return { kind: 'operands', words };
    words.push(word);
  }
}
const TEST_SIGNS = /(?:[ \t\n&|()]|[<>](?!\()|\\\n)+/y;

function readAssignment(scan: Scan): Assignment | undefined {
  ASSIGNMENT.lastIndex = scan.at;
  const found = ASSIGNMENT.exec(scan.text);
  if (found === null) return undefined;
  const [head, name = '', index, plus] = found;
  const at = scan.at + name.length + 1;
  scan.at += head.length;
  const isArray = scan.text[scan.at] === '(';
  if (isArray) scan.at++;
  const value: Word = isArray ? [{ kind: 'array', values: readArray(scan, readList) }] : readValue(scan, readList);
  const append = plus === '+';
  return index === undefined ? { name, append, value } : { name, append, value, index: readInside(scan, readList, index, at) };
}
