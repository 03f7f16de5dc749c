import { expandBraces, hasOpen, type Script, type Word, type WordPart } from '@piton/shell';
import { UNKNOWN } from './path-segments.ts';

/** What a word may come to. */
export interface Text {
  readonly text: string;
  readonly glob: boolean;
}

/** What a command line knows while it runs. */
export interface Surroundings {
  /** Null where nobody can tell. */
  cwd: string | null;
  readonly variables: Map<string, readonly Text[]>;
  /** The paths that a nested command prints, as far as its words tell. */
  readonly printed: (script: Script) => readonly Text[];
  /** Characters that may yet be made: variables that hold each other would never end. */
  readonly budget: { left: number };
}

export const MOST_TEXTS = 64;
/** Each text of several is looked at on its own: that counts for more than its letters. */
const COST_OF_ONE_MORE = 64;
const LONGEST = 16_384;
const MOST_FIELDS = 16;
const NOTHING_KNOWN: Text = { text: UNKNOWN, glob: false };

/** All that a word may come to. Where that would be too much, what nobody can tell. */
export function expand(word: Word, on: Surroundings): readonly Text[] {
  if (!hasOpen(word, '{')) return expandOne(word, on);
  return (expandBraces(word) ?? [word]).flatMap((each) => expandOne(each, on));
}

function expandOne(word: Word, on: Surroundings): readonly Text[] {
  let made: readonly Text[] = [{ text: '', glob: false }];
  for (const part of word) {
    const values = valuesOf(part, on);
    if (values.length === 1 && made.length === 1) made = [joined(made[0] as Text, values[0] as Text)];
    else made = made.flatMap((before) => values.map((value) => joined(before, value)));
    on.budget.left -= made.reduce((sum, { text }) => sum + text.length + (made.length > 1 ? COST_OF_ONE_MORE : 1), 0);
    if (made.length > MOST_TEXTS || on.budget.left < 0) return [NOTHING_KNOWN];
  }
  return made;
}

function joined(before: Text, value: Text): Text {
  const text = before.text + value.text;
  return text.length > LONGEST ? NOTHING_KNOWN : { text, glob: before.glob || value.glob };
}

function valuesOf(part: WordPart, on: Surroundings): readonly Text[] {
  switch (part.kind) {
    case 'text':
      return part.quoted ? [{ text: part.text, glob: false }] : unquoted(part.text, on);
    case 'tilde':
      return part.user === '' ? (on.variables.get('HOME') ?? [NOTHING_KNOWN]) : [NOTHING_KNOWN];
    case 'variable': {
      const known = part.name === 'PWD' && on.cwd !== null ? [{ text: on.cwd, glob: false }] : (on.variables.get(part.name) ?? []);
      const values = part.operator !== '' && HAS_OTHER.test(part.operator) ? [...known, ...expand(part.operand, on)] : known;
      return values.length > 0 ? (part.quoted ? values : split(values)) : [NOTHING_KNOWN];
    }
    case 'array': {
      const values = part.values.flatMap((word) => expand(word, on));
      return values.length > 0 ? values.slice(0, MOST_TEXTS) : [{ text: '', glob: false }];
    }
    case 'substitution':
    case 'process': {
      const values = on.printed(part.script);
      return values.length > 0 ? values : [NOTHING_KNOWN];
    }
    case 'number':
      return [NOTHING_KNOWN];
  }
}

/** `${name:-this}` */
const HAS_OTHER = /^:?[-=+]$/;
const TO_SPLIT = /[ \t\n*?[]/;

/** Without quotes each word in a value counts, and is filled in; as a whole it counts where a shell reads it again. */
function split(values: readonly Text[]): readonly Text[] {
  if (!values.some(({ text }) => TO_SPLIT.test(text))) return values;
  return values.flatMap(({ text, glob }) => {
    const value = { text, glob: glob || /[*?[]/.test(text) };
    const fields = text.length > LONGEST ? [] : text.split(/[ \t\n]+/, MOST_FIELDS).filter(Boolean);
    return fields.length < 2 ? [value] : [...fields.map((field) => ({ text: field, glob: value.glob })), value];
  });
}

/** More tildes count here than in a shell: programs read `--to=~/x` themselves. */
function unquoted(text: string, on: Surroundings): readonly Text[] {
  const home = text.includes('~') ? on.variables.get('HOME')?.[0]?.text : undefined;
  const plain = home === undefined ? text : text.replace(/([=:])~(?=\/|$)/, `$1${home}`);
  return [{ text: plain, glob: /[*?[]/.test(plain) }];
}
