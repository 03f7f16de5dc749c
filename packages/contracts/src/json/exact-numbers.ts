import { randomBytes } from 'node:crypto';

/** In front of a number that is kept as its text. Nobody outside this process can write it, so no text of others passes for a number. */
const MARK = `piton-number-${randomBytes(12).toString('hex')}:`;

/** Only such a row of digits can be more than a number of JavaScript's holds. */
const MANY_DIGITS = /\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARKED = new RegExp(`"${MARK}([-+.\\deE]+)"`, 'g');

/** JSON whose numbers survive `parse` and `stringify`: those that JavaScript would round are texts with a mark, until `exactJson`. */
export function parseExactly(json: string): unknown {
  if (!MANY_DIGITS.test(json)) return JSON.parse(json);
  return JSON.parse(
    json.replace(TOKEN, (token) => (token[0] === '"' || !MANY_DIGITS.test(token) || isHeld(token) ? token : `"${MARK}${token}"`)),
  );
}

const isHeld = (number: string): boolean => JSON.stringify(Number(number)) === number;

/** JSON text with every marked number as it was written. */
export const exactJson = (json: string): string => (json.includes(MARK) ? json.replace(MARKED, '$1') : json);

/** A text as people and conditions read it. */
export const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(MARK.length) : text);
