/** What a character may be part of. Text is read by code, since nothing else is as fast. */
const WORD = 1;
const SPACE = 2;
const HEX = 4;
const SEQUENCE = 8;

const CLASSES = new Uint8Array(128);
const mark = (characters: string, kind: number): void => {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = (CLASSES[character.charCodeAt(0)] as number) | kind;
};
mark('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-', WORD);
mark(' \t', SPACE);
mark('0123456789abcdefABCDEF', HEX);
mark('\u001b[\\%^&', SEQUENCE);

/** Letters, digits, `_` and `-`: a run of them is a name, or the beginning of a token. */
export const isWord = (code: number): boolean => code < 128 && ((CLASSES[code] as number) & WORD) !== 0;
export const isSpace = (code: number): boolean => code < 128 && ((CLASSES[code] as number) & SPACE) !== 0;
export const isHex = (code: number): boolean => code < 128 && ((CLASSES[code] as number) & HEX) !== 0;

/** May a control sequence of a terminal begin with it? Besides ESC: its stand-ins in text, in JSON, URLs and pages, and one character for ESC and `[`. */
export const mayBeSequence = (code: number): boolean =>
  code < 128 ? ((CLASSES[code] as number) & SEQUENCE) !== 0 : code === C1_CSI || code === ESCAPE_SYMBOL;

export const C1_CSI = 0x9b;
const ESCAPE_SYMBOL = 0x241b;
export const BACKSLASH = 92;
export const DASH = 45;
export const PERCENT = 37;
export const AMPERSAND = 38;
export const COLON = 58;
export const SLASH = 47;
export const OPEN_BRACKET = 91;
const [QUOTE, APOSTROPHE] = [34, 39];

export const isQuote = (code: number): boolean => code === QUOTE || code === APOSTROPHE;

/** Skips up to `most` blanks. */
export function skipSpaces(text: string, from: number, most: number): number {
  let at = from;
  while (at - from < most && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Skips backslashes; a quote inside JSON inside JSON has many. */
export function skipBackslashes(text: string, from: number): number {
  let at = from;
  while (at - from < 64 && text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}
