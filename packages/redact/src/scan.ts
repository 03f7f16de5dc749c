import { awsSecretsNear } from './aws-secrets.ts';
import { optionValue } from './named/commands.ts';
import { credentialAfter } from './named/headers.ts';
import { mayNameSecret, namedValue } from './named/named-values.ts';
import { placeholderEnd } from './placeholder.ts';
import { createKeyFinder, KEY_BLOCK } from './private-keys.ts';
import type { Span } from './span.ts';
import {
  AMPERSAND,
  BACKSLASH,
  COLON,
  DASH,
  isHex,
  isWord,
  mayBeSequence,
  OPEN_BRACKET,
  PERCENT,
  SLASH,
  skipBackslashes,
} from './text/characters.ts';
import { sequenceStart } from './text/terminal.ts';
import { LONGEST_SHAPE, pairOf, type TokenFinder } from './tokens.ts';
import { driverPassword, urlPassword } from './urls.ts';

const UNDERSCORE = 95;
const SPACE = 32;
const LONGEST_SCHEME = 6;
const LETTER_BIG_N = 78;
const [LETTER_A, LETTER_N, LETTER_R, LETTER_T, LETTER_U, LETTER_X] = [97, 110, 114, 116, 117, 120];
const COLON_SLASHES = /^:\\{1,16}\//;
const ENTITY = /^&(?:#|[qalg])/i;
const isR = (code: number): boolean => (code | 32) === LETTER_R || (code | 32) === 99;

/** What a text holds. */
export interface Scanned {
  readonly spans: Span[];
  /** It has control sequences of terminals, which may stand inside a secret or between a name and its value. */
  readonly sequences: boolean;
  /** It has characters that are written in another way: `%3D`, `\u003d`, `&quot;`. */
  readonly encoded: boolean;
}

/**
 * Reads a text once from left to right and gives back what is secret in it. Everything is found from the edge of a
 * run of letters and digits: at its beginning a token, at its end a name with its value.
 */
export function scan(text: string, tokens: TokenFinder): Scanned {
  const spans: Span[] = [];
  const keyAt = createKeyFinder(text);
  const length = text.length;
  let sequences = false;
  let encoded = false;
  // A run may hold many secrets one after the other; its end is looked for once. No function below may change it:
  // a variable that is shared is many times slower, and this loop sees every character.
  let runEnd = 0;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (isWord(code)) {
      if (at >= runEnd) {
        let end = at + 1;
        while (end < length && isWord(text.charCodeAt(end))) end++;
        runEnd = end;
      }
      at = isSuspect(text, at, runEnd, tokens) ? readRun(at, runEnd) : runEnd;
      continue;
    }
    const special = mayBeSequence(code);
    const sequence = special ? sequenceStart(text, at) : -1;
    if (sequence > at) {
      sequences = true;
      at = readToken(sequence - 1) ?? sequence; // the letter that seems to end it may begin a token
    } else if (!special && code !== COLON) {
      at++;
    } else if (code === BACKSLASH) {
      const letter = skipBackslashes(text, at);
      encoded ||= isEncoded(text, letter);
      at = readEscape(letter);
    } else if (code === COLON && text.charCodeAt(at + 1) === SLASH && text.charCodeAt(at + 2) === SLASH) {
      const found = urlPassword(text, at + 3);
      if (found !== undefined) spans.push(found);
      at = found?.end ?? at + 3;
    } else if (code === COLON && text.charCodeAt(at + 1) === BACKSLASH) {
      encoded ||= COLON_SLASHES.test(text.slice(at, at + 20)); // JSON of those who write every slash as `\/`
      at++;
    } else if (code === COLON && text.charCodeAt(at + 1) > SPACE) {
      const found = driverPassword(text, at + 1);
      if (found !== undefined) spans.push(found);
      at = found?.end ?? at + 1;
    } else if (code === PERCENT && isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2))) {
      encoded = true;
      at += 3; // %3D and the like: what is encoded is an edge
    } else if (code === OPEN_BRACKET) {
      const end = placeholderEnd(text, at);
      at = end === -1 ? at + 1 : end;
    } else {
      encoded ||= code === AMPERSAND && ENTITY.test(text.slice(at, at + 3));
      at++;
    }
  }
  return { spans, sequences, encoded };

  /** Gives back where to read on: behind the run, or behind a secret that began in it. */
  function readRun(start: number, end: number): number {
    const found = inRun(start, end);
    if (found === undefined) return end;
    spans.push(found);
    if (found.kind === 'aws-key-id') spans.push(...awsSecretsNear(text, found.start, found.end));
    return found.end;
  }

  /** A token may stand right behind an escape, and begin with a letter that could be part of it: `\npm_…`. */
  function readEscape(letter: number): number {
    const next = text.charCodeAt(letter) === LETTER_A ? readToken(letter + 1, wordEnd(text, letter + 1)) : readToken(letter + 1);
    return readToken(letter) ?? next ?? skipEscape(text, letter);
  }

  /** Where the token that begins at `start` ends. With the end of its run also those that have no prefix. */
  function readToken(start: number, end?: number): number | undefined {
    const token = tokens.at(text, start) ?? (end === undefined ? undefined : tokens.endingAt(text, start, end));
    if (token !== undefined) spans.push(token);
    return token?.end;
  }

  function inRun(start: number, end: number): Span | undefined {
    const first = text.charCodeAt(start);
    if (text.charCodeAt(end - 1) === LETTER_BIG_N && text.startsWith(KEY_BLOCK, end - KEY_BLOCK.length + 1)) {
      const key = keyAt(end - KEY_BLOCK.length + 1);
      if (key !== undefined) return key;
    }
    const token = tokenIn(start, end, first);
    if (token !== undefined) return token;
    if (mayNameSecret(text, start, end)) {
      const value = namedValue(text, start, end, tokens);
      if (value !== undefined) return value;
    }
    if (first === DASH) return optionValue(text, start, end);
    // `Bearer` and `Basic` end in r or c.
    return isR(text.charCodeAt(end - 1)) ? credentialAfter(text, start, end) : undefined;
  }

  function tokenIn(start: number, end: number, first: number): Span | undefined {
    const found = tokens.at(text, start) ?? tokens.endingAt(text, start, end);
    if (found !== undefined || (first !== DASH && first !== UNDERSCORE)) return found;
    // A dash or an underscore in front belongs to the text around it.
    let inner = start;
    while (inner < end && (text.charCodeAt(inner) === DASH || text.charCodeAt(inner) === UNDERSCORE)) inner++;
    return inner === end ? undefined : (tokens.at(text, inner) ?? tokens.endingAt(text, inner, end));
  }
}

/** Not far: longer runs are no shape. */
function wordEnd(text: string, start: number): number {
  let end = start;
  while (end - start <= LONGEST_SHAPE && isWord(text.charCodeAt(end))) end++;
  return end;
}

/** Is this run worth a second look? Almost none is, and the rest of the reading is only for those that are. */
function isSuspect(text: string, start: number, end: number, tokens: TokenFinder): boolean {
  const first = text.charCodeAt(start);
  const last = text.charCodeAt(end - 1);
  return (
    tokens.maybe[pairOf(first, text.charCodeAt(start + 1))] === 1 ||
    mayNameSecret(text, start, end) ||
    first === DASH ||
    first === UNDERSCORE ||
    last === LETTER_BIG_N ||
    tokens.mayEnd[Math.min(end - start, LONGEST_SHAPE) * 128 + (text.charCodeAt(end) & 127)] === 1 ||
    (end - start <= LONGEST_SCHEME && isR(last))
  );
}

/** `\u003d` or `\x3d`: a character of ASCII. */
function isEncoded(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === LETTER_U) return text.startsWith('00', at + 1) && isHex(text.charCodeAt(at + 3));
  return code === LETTER_X && isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2));
}

/** `\n` and the like are edges. `at` is behind the backslashes, of which JSON inside JSON has many. */
function skipEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === LETTER_N || code === LETTER_R || code === LETTER_T) return at + 1;
  if (code === LETTER_U && isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 4))) return at + 5;
  return at;
}
