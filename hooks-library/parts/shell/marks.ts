/**
 * A word that was read is a plain string. What was not plain about it stands in characters of Unicode's private range,
 * so that a quoted `*` and one that the shell would expand are never mixed up.
 */
export const STAR = '\uE000';
export const ANY = '\uE001';
export const CLASS = '\uE002';
/** Something that nobody can know before it runs, and that may be nothing at all. */
export const UNKNOWN = '\uE003';
/** The same, but not empty: `${X:?}`, a number, a new temporary name. */
export const SOMETHING = '\uE004';
/** What a decoder gives out: text that was made unreadable on purpose, or might as well have been. */
export const HIDDEN = '\uE005';
export const BRACE = '\uE006';
export const COMMA = '\uE007';
export const UNBRACE = '\uE008';
/** What a command gives out that nobody can know, in the place of a word. */
export const OUTPUT = '\uE009';

const ACTIVE: Readonly<Record<string, string>> = { '*': STAR, '?': ANY, '[': CLASS, '{': BRACE, ',': COMMA, '}': UNBRACE };
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(ACTIVE).map(([plain, mark]) => [mark, plain]));

/** Nobody may bring marks of their own. */
export const withoutMarks = (text: string): string => text.replace(/[\uE000-\uE00F\0]/g, '\uFFFD');
/** An unquoted character that means more than itself. */
export const activeOf = (char: string): string => ACTIVE[char] ?? char;
/** What a variable holds expands when it stands without quotes; braces never do. */
export const activated = (text: string): string => text.replace(/[*?[]/g, activeOf);
export const unmarked = (text: string): string => text.replace(/[\uE000-\uE002\uE006-\uE008]/g, (mark) => PLAIN[mark] ?? mark);
export const hasGlob = (text: string): boolean => /[\uE000-\uE002]/.test(text);
export const isUncertain = (text: string): boolean => /[\uE003-\uE005\uE009]/.test(text);

const MOST_WORDS = 64;

/** `{rm,-rf,/}`: the innermost pair with a comma in it first, until there is none. */
export function braceExpanded(word: string): string[] {
  const done: string[] = [];
  const open = [word];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const end = next.indexOf(UNBRACE);
    const start = end < 0 ? -1 : next.lastIndexOf(BRACE, end);
    if (start < 0) {
      // A `}` that closes nothing is a character, and others may follow it.
      if (end >= 0 && next.indexOf(BRACE, end) >= 0) open.push(`${next.slice(0, end)}}${next.slice(end + 1)}`);
      else done.push(next.replace(/[\uE006-\uE008]/g, (mark) => PLAIN[mark] ?? mark));
      continue;
    }
    const choices = next.slice(start + 1, end).split(COMMA);
    const [before, after] = [next.slice(0, start), next.slice(end + 1)];
    if (choices.length < 2) open.push(`${before}{${choices[0]}}${after}`);
    else if (done.length + open.length + choices.length > MOST_WORDS) return [...done, unmarked(next)];
    else open.push(...choices.reverse().map((choice) => before + choice + after));
  }
  return done;
}
