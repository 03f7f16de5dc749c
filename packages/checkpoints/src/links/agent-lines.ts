/** A text in which lines are looked for, however they were set since. */
export interface Text {
  readonly lines: readonly string[];
  /** Whether it has this line, also indented, quoted, broken or joined in another way. */
  has(line: string): boolean;
  /** How often it has exactly this line. */
  count(line: string): number;
}

/** Letters that are not said twice by chance. */
export const MANY_LETTERS = 12;

/** What a formatter leaves of a line. Lines are bytes: what is not ASCII is a letter. */
export const lettersOf = (line: string): string => line.replace(/[^0-9A-Za-z\x80-\xff]+/g, '');

const keyOf = (line: string): string => lettersOf(line) || line.trim();

const wordsOf = (text: string): readonly string[] => text.match(/[0-9A-Za-z\x80-\xff]+/g) ?? [];

/** So many words in a row. A line is known by its first and its last ones, wherever it is broken. */
const RUN = 4;

const runAt = (words: readonly string[], at: number): string => `${words[at]} ${words[at + 1]} ${words[at + 2]} ${words[at + 3]}`;

function runsOf(words: readonly string[]): Set<string> {
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= words.length; at++) runs.add(runAt(words, at));
  return runs;
}

/** Of most texts but the lines are asked for. */
export function textOf(lines: readonly string[]): Text {
  const keys = once(() => new Set(lines.map(keyOf)));
  const counts = once(() => countsOf(lines));
  const runs = once(() => runsOf(wordsOf(lines.join('\n'))));
  return {
    lines,
    has: (line) => {
      const key = keyOf(line);
      if (key === '' || keys().has(key)) return key !== '';
      const words = wordsOf(line);
      return words.length >= RUN && runs().has(runAt(words, 0)) && runs().has(runAt(words, words.length - RUN));
    },
    count: (line) => counts().get(line) ?? 0,
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Whether anything of what an agent did to a file is left in a later version: a line that it wrote, lines that it deleted, or an
 * order that it changed. A line that it changed, and a person changed again, is the person's. Takes as long as the texts are, and
 * says yes where it cannot tell.
 */
export function isLeft(before: Text, agents: readonly string[], after: Text): boolean {
  const hunks = hunksBetween(before.lines, agents);
  // Moved about, or other line ends.
  if (hunks === null || hunks.length === 0) return true;
  const added = hunks.flatMap((hunk) => hunk.added);
  if (added.length > 0 && added.every((line) => keyOf(line) === '')) return true;
  if (added.some((line) => after.has(line))) return true;
  const isGone = (line: string): boolean => after.count(line) < before.count(line);
  return hunks.some((hunk) => hunk.removed.length > hunk.added.length && hunk.removed.some(isGone));
}

interface Hunk {
  readonly removed: string[];
  readonly added: string[];
}

/** Null where what the two have in common is not in the same order, or equal lines leave that open. */
function hunksBetween(before: readonly string[], after: readonly string[]): Hunk[] | null {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--;
    endAfter--;
  }
  const [a, b] = [before.slice(start, endBefore), after.slice(start, endAfter)];
  const [goes, comes] = [surplus(a, b), surplus(b, a)];
  const hunks: Hunk[] = [];
  let hunk: Hunk = { removed: [], added: [] };
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [gone, come] = [a[i], b[j]];
    if (gone !== undefined && took(goes, gone)) {
      hunk.removed.push(gone);
      i++;
    } else if (come !== undefined && took(comes, come)) {
      hunk.added.push(come);
      j++;
    } else if (gone !== come) return null;
    else {
      hunks.push(hunk);
      hunk = { removed: [], added: [] };
      i++;
      j++;
    }
  }
  return [...hunks, hunk].filter(({ removed, added }) => removed.length + added.length > 0);
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** How much more often the first has each line. */
function surplus(some: readonly string[], others: readonly string[]): Map<string, number> {
  const counts = countsOf(some);
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) - 1);
  return counts;
}

function took(counts: Map<string, number>, line: string): boolean {
  const left = counts.get(line) ?? 0;
  if (left > 0) counts.set(line, left - 1);
  return left > 0;
}
