import type { Span } from './span.ts';

export const KEY_BLOCK = '-----BEGIN ';
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const END = '-----END ';
const CUT_BODY = /(?:[A-Za-z0-9+/=\s]|\\{1,8}[nrt]){0,16384}/y;
const LINE_ENDS = /\\{1,8}[nrt]|\s/g;

/** Finds the next place of a literal from ever later positions without reading any stretch twice. */
function forward(text: string, literal: string): (from: number) => number {
  let at = -2;
  return (from) => {
    if (at !== -1 && at < from) at = text.indexOf(literal, from);
    return at;
  };
}

/** Finds key blocks, also those whose end was cut off. A quote ends a block: what follows belongs to the JSON around it. */
export function createKeyFinder(text: string): (at: number) => Span | undefined {
  const nextEnd = forward(text, END);
  const nextQuote = forward(text, '"');
  return (at) => {
    BEGIN.lastIndex = at;
    if (!BEGIN.test(text)) return undefined;
    const body = BEGIN.lastIndex;
    const end = blockEnd(text, body, nextEnd(body), nextQuote(body));
    // The same key on one line, on many, or escaped is the same key.
    return { start: at, end, kind: 'private-key', secret: text.slice(at, end).replace(LINE_ENDS, '') };
  };
}

function blockEnd(text: string, body: number, end: number, quote: number): number {
  if (end !== -1 && (quote === -1 || end < quote)) {
    const closing = text.indexOf('-----', end + END.length);
    // The dashes that close the END line stand on it; farther off they belong to something else.
    if (closing !== -1 && closing - end < 80) return closing + 5;
  }
  CUT_BODY.lastIndex = body;
  return body + (CUT_BODY.exec(text)?.[0].length ?? 0);
}
