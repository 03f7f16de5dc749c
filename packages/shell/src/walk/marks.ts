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
/** What `find` has chosen in a place: as a name, twice the one above, so that it is no temporary file's. */
export const FOUND = SOMETHING + SOMETHING;
/** What a decoder gives out: text that was made unreadable on purpose, or might as well have been. */
export const HIDDEN = '\uE005';
/** What a command gives out that nobody can know, in the place of a word. */
export const OUTPUT = '\uE009';

const ACTIVE: Readonly<Record<string, string>> = { '*': STAR, '?': ANY, '[': CLASS };
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(ACTIVE).map(([plain, mark]) => [mark, plain]));

/** Marks cannot be read again: in a text that a shell reads, what is unknown is a name that nobody has. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
export const UNKNOWN_VARIABLE = '${UNKNOWN_TO_PITON}';

/** Nobody may bring marks of their own. */
export const withoutMarks = (text: string): string => text.replace(/[\uE000-\uE00F\0]/g, '\uFFFD').replaceAll(UNKNOWN_VARIABLE, UNKNOWN);
/** Characters without quotes that mean more than themselves; also those in the value of a variable. */
export const activated = (text: string): string => text.replace(/[*?[]/g, (char) => ACTIVE[char] ?? char);
export const unmarked = (text: string): string => text.replace(/[\uE000-\uE002]/g, (mark) => PLAIN[mark] ?? mark);
export const hasGlob = (text: string): boolean => /[\uE000-\uE002]/.test(text);
export const isUncertain = (text: string): boolean => /[\uE003-\uE005\uE009]/.test(text);
