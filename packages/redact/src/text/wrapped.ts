import { BACKSLASH } from './characters.ts';

/** A line end as it stands in a text, or escaped in JSON, perhaps more than once; with the indent of the next line. */
const LINE_END = /(?:\r?\n|\\{1,8}r\\{1,8}n|\\{1,8}n)[ \t]{0,16}/y;
const TOKEN_CHARACTERS = /[A-Za-z0-9_.+/=~%$-]{1,512}/y;
/** A line longer than this was not broken by anything that breaks lines. */
const WIDEST = 512;
const LONGEST_INDENT = 160;
/** Terminals and mail break no line before this; a shorter one ended because it was over. */
const NARROWEST = 40;
const MOST_LINES = 64;
const LETTER_N = 110;

export interface Unwrapped {
  readonly text: string;
  /** Where in the source the n-th character of `text` has gone by. */
  readonly sourceEnd: (length: number) => number;
}

/**
 * The token that begins at `start`, put together from the lines it was broken over, or undefined if it was not.
 * A line goes on with the next if it is long, nothing but token characters ends it, and the next one has no other
 * character than those and does not begin a token itself. Only a line as long as the one before is followed by
 * another. `plainEnd` is where the first line's own match ended.
 */
export function unwrapped(text: string, start: number, prefix: string, plainEnd: number, limit: number): Unwrapped | undefined {
  const first = run(text, start);
  if (first - start >= WIDEST || (plainEnd !== -1 && plainEnd < first)) return undefined;
  let joint = lineEnd(text, first);
  if (joint === -1) return undefined;
  const column = first - lineStart(text, start);
  if (column < NARROWEST) return undefined;
  let width = column;
  let joined = text.slice(start, first);
  const pieces = [{ length: joined.length, end: first }];
  for (let lines = 1; joint !== -1 && lines < MOST_LINES && joined.length < limit; lines++) {
    const end = run(text, joint);
    const length = end - joint;
    if (length === 0 || length > width || !isLineOver(text, end) || text.startsWith(prefix, joint)) break;
    joined += text.slice(joint, end);
    pieces.push({ length: joined.length, end });
    // Before the first line something may stand, a quote or a name; from then on all are of one length.
    if (lines > 1 ? length < width : length < NARROWEST) break;
    width = length;
    joint = lineEnd(text, end);
  }
  if (pieces.length === 1) return undefined;
  return {
    text: joined,
    sourceEnd(length) {
      const piece = pieces.find((each) => each.length >= length) ?? (pieces.at(-1) as (typeof pieces)[number]);
      return piece.end - (piece.length - length);
    },
  };
}

function run(text: string, from: number): number {
  TOKEN_CHARACTERS.lastIndex = from;
  return from + (TOKEN_CHARACTERS.exec(text)?.[0].length ?? 0);
}

function lineEnd(text: string, at: number): number {
  LINE_END.lastIndex = at;
  return LINE_END.test(text) ? LINE_END.lastIndex : -1;
}

/** The token's last line ends the line too, or the string that it stands in. */
const isLineOver = (text: string, at: number): boolean => at >= text.length || '\r\n\\"\'`'.includes(text[at] as string);

/** Only as far back as matters. */
function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_INDENT) {
    const before = text.charCodeAt(start - 1);
    if (before === 10 || before === 13 || (before === LETTER_N && text.charCodeAt(start - 2) === BACKSLASH)) break;
    start--;
  }
  return start;
}
