import {
  activated,
  changedValue,
  expandBraces,
  hasOpen,
  isUncertain,
  type Script,
  type Variable,
  type Word,
  type WordPart,
} from '@piton/shell';
import { UNKNOWN } from '../path-segments.ts';

/** What a word may come to. */
export interface Text {
  readonly text: string;
  readonly glob: boolean;
}

/** What a command line knows while it runs. */
export interface Surroundings {
  /** Null where nobody can tell. */
  cwd: string | null;
  /** The directory before this one, for `cd -`. */
  before?: string;
  readonly variables: Map<string, readonly Text[]>;
  /** The paths that a nested command prints, as far as its words tell. */
  readonly printed: (script: Script) => readonly Text[];
  /** Characters that may yet be made: variables that hold each other would never end. */
  readonly budget: { left: number; lost: boolean };
}

/** How many values one variable or word may have. What has more is not followed, and the command counts as unread. */
export const MOST_TEXTS = 1024;
/** Each text of several is looked at on its own: that counts for more than its letters. */
const COST_OF_ONE_MORE = 16;
const LONGEST = 262_144;
const MOST_FIELDS = 16;
const NOTHING_KNOWN: Text = { text: UNKNOWN, glob: false };

/** All that a word may come to. Where that would be too much, what nobody can tell. */
export function expand(word: Word, on: Surroundings): readonly Text[] {
  if (!hasOpen(word, '{')) return expandOne(word, on);
  return (expandBraces(word) ?? [word]).flatMap((each) => expandOne(each, on));
}

function expandOne(word: Word, on: Surroundings): readonly Text[] {
  const twice = namedTwice(word, on);
  if (twice !== undefined) {
    const values = on.variables.get(twice) ?? [];
    return values.flatMap((value) => expandOne(word, { ...on, variables: new Map([...on.variables, [twice, [value]]]) }));
  }
  let made: readonly Text[] = [{ text: '', glob: false }];
  for (const part of word) {
    const values = valuesOf(part, on);
    if (made.length * values.length > MOST_TEXTS) return tooMuch(on);
    if (values.length === 1 && made.length === 1) made = [joined(made[0] as Text, values[0] as Text, on)];
    else made = made.flatMap((before) => values.map((value) => joined(before, value, on)));
    on.budget.left -= made.reduce((sum, { text }) => sum + text.length + (made.length > 1 ? COST_OF_ONE_MORE : 1), 0);
    if (on.budget.left < 0) return tooMuch(on);
  }
  return made;
}

function tooMuch(on: Surroundings): readonly Text[] {
  on.budget.lost = true;
  return [NOTHING_KNOWN];
}

/** A variable of several values that stands twice in a word has the same one in both places. */
function namedTwice(word: Word, { variables }: Surroundings): string | undefined {
  if (word.length < 2) return undefined;
  const names = word.flatMap((part) => (part.kind === 'variable' && (variables.get(part.name)?.length ?? 0) > 1 ? [part.name] : []));
  return names.find((name, at) => names.indexOf(name) !== at);
}

function joined(before: Text, value: Text, on: Surroundings): Text {
  if (before.text === '') return value;
  const text = before.text + value.text;
  return text.length > LONGEST ? (tooMuch(on)[0] as Text) : { text, glob: before.glob || value.glob };
}

function valuesOf(part: WordPart, on: Surroundings): readonly Text[] {
  switch (part.kind) {
    case 'text':
      return part.quoted ? [{ text: part.text, glob: false }] : unquoted(part.text, on);
    case 'tilde':
      return part.user === '' ? (on.variables.get('HOME') ?? [NOTHING_KNOWN]) : [NOTHING_KNOWN];
    case 'variable': {
      const known = valuesNamed(part.name, on);
      const values = part.operator === '' ? known : withOperator(part, known, on);
      return values.length > 0 ? (part.quoted ? values : split(values)) : [NOTHING_KNOWN];
    }
    case 'array': {
      const values = part.values.flatMap((word) => expand(word, on)).map(withoutIndex);
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

/** `[index]=value` in an array is the value. */
const withoutIndex = ({ text, glob }: Text): Text => ({ text: text.replace(/^\[[^\]]*\]=/, ''), glob });

/** `${name:-this}`, and what `${name%…}` and its like leave of a value, beside the value itself. */
function withOperator({ operator, operand }: Variable, known: readonly Text[], on: Surroundings): readonly Text[] {
  const others = expand(operand, on);
  if (HAS_OTHER.test(operator)) return [...known, ...others];
  const [other] = others;
  if (other === undefined || known.length > MOST_FIELDS) return known;
  const pattern = other.glob ? activated(other.text) : other.text;
  const changed = known.map(({ text, glob }) => ({ text: changedValue(text, operator, pattern), glob }));
  return [...changed.filter(({ text }) => !isUncertain(text)), ...known];
}

/** `${!name}` is the variable that the value names. */
function valuesNamed(name: string, on: Surroundings): readonly Text[] {
  if (name === 'PWD' && on.cwd !== null) return [{ text: on.cwd, glob: false }];
  if (!name.startsWith('!')) return on.variables.get(name) ?? [];
  return (on.variables.get(name.slice(1)) ?? []).flatMap(({ text }) => on.variables.get(text) ?? []);
}

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
