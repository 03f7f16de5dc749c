import { stripVTControlCharacters } from 'node:util';

/** Without colours and other codes of a terminal, which would stick to the word behind them. */
export const plainText = (text: string): string =>
  text.includes('\u001b') || text.includes('\u009b') ? stripVTControlCharacters(text) : text;

/** Words as the index sees them: letters and digits, without case and accents. */
export const wordsOf = (text: string): string[] => [...new Set(folded(text).match(/[\p{L}\p{N}]+/gu) ?? [])];

/** Same length, character by character, so that a position in one is a position in the other. */
const folded = (text: string): string =>
  text
    .replace(/[^\0-\x7f]/gu, (char) => {
      const plain = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      return plain.length === char.length ? plain : char;
    })
    .toLowerCase();

const BEFORE = 40;
const LENGTH = 200;

interface Found {
  readonly at: number;
  readonly length: number;
}

/** Where words begin with one of these. */
function matchesIn(text: string, words: readonly string[]): Found[] {
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...words].sort((a, b) => b.length - a.length).join('|')})`, 'gu');
  return [...folded(text).matchAll(pattern)].map((match) => ({ at: match.index, length: match[0].length }));
}

/** How many of the words the text has. */
export const countWords = (text: string, words: readonly string[]): number => {
  const plain = folded(text);
  return new Set(matchesIn(text, words).map(({ at, length }) => plain.slice(at, at + length))).size;
};

/** The text around the first match, on one line, with `⟦` and `⟧` around what matches. */
export function excerpt(text: string, words: readonly string[]): string {
  const whole = plainText(text.slice(0, LARGEST));
  const found = matchesIn(whole, words);
  const first = found[0]?.at ?? 0;
  const from = first <= BEFORE ? 0 : wordStart(whole, first - BEFORE, first);
  const to = Math.min(whole.length, from + LENGTH);
  let marked = '';
  let at = from;
  for (const { at: start, length } of found) {
    if (start < at || start + length > to) continue;
    marked += `${whole.slice(at, start)}⟦${whole.slice(start, start + length)}⟧`;
    at = start + length;
  }
  marked += whole.slice(at, to);
  return `${from > 0 ? '…' : ''}${marked.replace(/\s+/g, ' ').trim()}${to < whole.length || text.length > LARGEST ? '…' : ''}`;
}

/** More than that nobody looks through for one line. */
const LARGEST = 200_000;

/** The start of the first word at or after `at`, no later than `limit`. */
function wordStart(text: string, at: number, limit: number): number {
  const space = text.slice(at, limit).search(/\s\S/);
  const start = space < 0 ? at : at + space + 1;
  const code = text.charCodeAt(start);
  return code >= 0xdc00 && code < 0xe000 ? start + 1 : start;
}
