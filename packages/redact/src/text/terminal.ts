import { placeholderEnd } from '../placeholder.ts';
import { BACKSLASH, C1_CSI, OPEN_BRACKET, PERCENT } from './characters.ts';

/**
 * Control sequences of terminals: colours, cursor movements, titles, hyperlinks. Programs write their ESC as the
 * character, and logs, JSON, shells, URLs and pages write it in many other ways.
 */
const ESCAPE = /\x1b|\\{1,16}(?:u001b|x1b|033|u\{1b\}|U0000001b|e(?=[[\](\\]))|\^\[|%(?:25){0,4}1b|&#(?:27|x1b);|\u241b/iy;
const BELL = /\\{1,16}(?:u0007|x07|007)|\^G/iy;
/** Only where a string has to end: elsewhere it is the beginning of a word behind a backslash. */
const SHORT_BELL = /\\{1,16}a/y;
/** No quote is part of one, not even where the standard allows it: it would close the JSON around a sequence that was cut off. */
const CSI = /(?:\[|%(?:25){0,4}5b)(?:[0-9;:<=>?]|%(?:25){0,4}3[abf]){0,48}(?: q|[A-Za-z@~])/iy;
const CHARACTER_SET = /(?:[()*+]|%(?:25){0,4}2[89ab])[0-9A-Za-z]/iy;
/** A title or a hyperlink. It ends with BEL or with ESC and a backslash, and holds neither before. */
const OSC = /\][^\x07\x1b\x9c\r\n\\^"]{0,2048}/y;
/** Written without ESC by what drops it. Only colours: `[5]` and `[x` are text. */
const BARE_COLOUR = /\[(?:[0-9]{1,3}(?:;[0-9]{1,3}){0,15})?m(?:\[K)?/y;
const [BEL, ESC, C1_ST, CLOSE_BRACKET] = [7, 27, 0x9c, 93];

function ends(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Where the control sequence that begins at `at` ends, or -1. Of a hyperlink that is its address and all. */
export function sequenceEnd(text: string, at: number): number {
  return endOf(text, at, true);
}

/** As `sequenceEnd`, but a hyperlink or a title is entered, not skipped: its text is read like any other. */
export function sequenceStart(text: string, at: number): number {
  return endOf(text, at, false);
}

function endOf(text: string, at: number, whole: boolean): number {
  const first = text.charCodeAt(at);
  if (first === OPEN_BRACKET) return placeholderEnd(text, at) === -1 ? ends(BARE_COLOUR, text, at) : -1;
  if (first === C1_CSI) return ends(CSI, `[${text.slice(at + 1, at + 64)}`, 0) + at;
  const body = ends(ESCAPE, text, at);
  if (body === -1) return ends(BELL, text, at);
  const code = text.charCodeAt(body);
  if (code === OPEN_BRACKET || code === PERCENT) {
    const end = placeholderEnd(text, body) === -1 ? ends(CSI, text, body) : -1;
    if (end !== -1) return end;
  }
  if (code === CLOSE_BRACKET) {
    const end = whole ? ends(OSC, text, body) : -1;
    const closed = end === -1 ? -1 : terminatorEnd(text, end);
    return closed === -1 ? body + 1 : closed;
  }
  if (code === BACKSLASH) return body + terminatorLength(text, at, body);
  const set = ends(CHARACTER_SET, text, body);
  if (set !== -1) return set;
  // Saves or restores the cursor.
  if (first === ESC && (code === 55 || code === 56)) return body + 1;
  return body;
}

function terminatorEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BEL || code === C1_ST) return at + 1;
  const bell = Math.max(ends(BELL, text, at), ends(SHORT_BELL, text, at));
  if (bell !== -1) return bell;
  const body = ends(ESCAPE, text, at);
  if (body === -1 || text.charCodeAt(body) !== BACKSLASH) return -1;
  return body + terminatorLength(text, at, body);
}

/** Where ESC is written with n backslashes, the backslash behind it is written with 2n. */
function terminatorLength(text: string, start: number, body: number): number {
  let depth = 0;
  while (text.charCodeAt(start + depth) === BACKSLASH) depth++;
  const length = Math.max(1, 2 * depth);
  for (let at = 0; at < length; at++) if (text.charCodeAt(body + at) !== BACKSLASH) return 0;
  return length;
}
