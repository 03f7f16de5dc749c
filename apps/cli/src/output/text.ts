import { stripVTControlCharacters } from 'node:util';
import truncatedWidth from 'fast-string-truncated-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns a text takes on a terminal. */
export const widthOf = (text: string): number => truncatedWidth(stripVTControlCharacters(text), {}, { tabWidth: 1 }).width;

/** Longer than any real grapheme. Only this much per column is segmented. */
const MAX_GRAPHEME_LENGTH = 64;
/** More of a text than any row shows. The rest is dropped before anything is measured: a prompt may have a megabyte. */
const MAX_MEASURED = 16 * 1024;

/** The beginning of a text that may be very long. */
export function beginningOf(text: string): string {
  return text.length <= MAX_MEASURED ? text : `${text.slice(0, MAX_MEASURED).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text in one row of at most this many columns. */
export const shortLine = (text: string, width: number): string => truncate(oneLine(beginningOf(text)), width);

/** Truncates to a width, between graphemes, and between words if that costs less than a third. Expects text without colours. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const taken = firstColumns(text, width - 1);
  const isInWord = /^[^\s…]/.test(text.slice(taken.length)) && /\S$/.test(taken);
  const words = isInWord ? taken.replace(/\S+$/, '') : taken;
  return `${widthOf(words) * 3 >= width * 2 ? words.trimEnd() : taken}…`;
}

/** Keeps both ends, for ids and paths: what tells them apart is at the end. */
export function truncateMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const end = lastColumns(text, Math.ceil((width - 1) / 2));
  return `${firstColumns(text, width - 1 - widthOf(end))}…${end}`;
}

function firstColumns(text: string, width: number): string {
  let taken = '';
  let used = 0;
  // Segmenting takes quadratic time.
  for (const { segment } of segmenter.segment(text.slice(0, (width + 1) * MAX_GRAPHEME_LENGTH))) {
    const next = widthOf(segment);
    if (used + next > width) break;
    taken += segment;
    used += next;
  }
  return taken;
}

function lastColumns(text: string, width: number): string {
  const segments = [...segmenter.segment(text.slice(-(width + 1) * MAX_GRAPHEME_LENGTH))];
  let taken = '';
  let used = 0;
  for (const { segment } of segments.reverse()) {
    const next = widthOf(segment);
    if (used + next > width) break;
    taken = segment + taken;
    used += next;
  }
  return taken;
}

/** Recorded text is untrusted: it may contain line breaks and escape sequences that control the terminal. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** The same for a line of code, whose spaces matter. */
export function spacedLine(text: string): string {
  return replaceControls(text).replace(/\t/g, '    ').trimEnd();
}

/** The same for text of several lines: line breaks and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '�');
}

/** One line of text for review. Nothing is removed, because code can hide inside an escape sequence; control characters are replaced. */
export function replaceControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '�');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** With separators: `1,012`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

/** Longer than a command in backticks. What began with one and has no end is prose. */
const MAX_QUOTED = 120;

/** Wraps between words. A number stays with its unit, and a quoted word of a command line in one piece: it is there to be pasted. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const word of wordsOf(text)) {
    const columns = widthOf(word);
    const isNext = lines.length > 0 && used + 1 + columns <= width;
    if (isNext) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
    used = isNext ? used + 1 + columns : columns;
  }
  return lines;
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let open = false;
  for (const piece of text.split(/ (?!(?:ms|µs|s)\b)/)) {
    if (open) words[words.length - 1] += ` ${piece}`;
    else words.push(piece);
    const word = words.at(-1) ?? '';
    open = isUnfinished(word);
  }
  return words;
}

const isUnfinished = (word: string): boolean => {
  if (word.startsWith('"$(')) return !word.endsWith(')"');
  if (word.startsWith('`')) return word.length < MAX_QUOTED && !word.includes('`', 1);
  return word.startsWith("'") && isOpen(word);
};

/** Does a word that begins with a single quote end inside of one, as a shell reads it? */
function isOpen(word: string): boolean {
  let inside = false;
  for (let at = 0; at < word.length; at++) {
    if (word[at] === "'") inside = !inside;
    else if (word[at] === '\\' && !inside) at++;
  }
  return inside;
}
