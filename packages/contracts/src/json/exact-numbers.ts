interface Mark {
  readonly text: string;
  readonly marked: RegExp;
}

/** In front of a number that is kept as its text. Nobody outside this process can write it, so no text of others passes for a number. */
let mark: Mark | undefined;

/** Made at the first such number: what it is made with takes long to load. */
function newMark(): Mark {
  const text = `piton-number-${globalThis.crypto.randomUUID()}:`;
  return { text, marked: new RegExp(`"${text}([-+.\\deE]+)"`, 'g') };
}

/** Only such a row of digits can be more than a number of JavaScript's holds. */
const MANY_DIGITS = /\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON whose numbers survive `parse` and `stringify`: those that JavaScript would round are texts with a mark, until `exactJson`. */
export function parseExactly(json: string): unknown {
  if (!MANY_DIGITS.test(json)) return JSON.parse(json);
  mark ??= newMark();
  const { text } = mark;
  return JSON.parse(
    json.replace(TOKEN, (token) => (token[0] === '"' || !MANY_DIGITS.test(token) || isHeld(token) ? token : `"${text}${token}"`)),
  );
}

const isHeld = (number: string): boolean => JSON.stringify(Number(number)) === number;

/** JSON text with every marked number as it was written. */
export const exactJson = (json: string): string =>
  mark === undefined || !json.includes(mark.text) ? json : json.replace(mark.marked, '$1');

/** A text as people and conditions read it. */
export const withoutMark = (text: string): string =>
  mark !== undefined && text.startsWith(mark.text) ? text.slice(mark.text.length) : text;
