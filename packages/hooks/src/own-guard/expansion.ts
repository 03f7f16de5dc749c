import { UNKNOWN } from './path-segments.ts';
import type { Part, Script, Word } from './shell-script.ts';

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
  readonly purse: { left: number };
}

export const MOST_TEXTS = 64;
/** Each text of several is looked at on its own: that counts for more than its letters. */
const COST_OF_ONE_MORE = 64;
const LONGEST = 16_384;
const MOST_FIELDS = 16;
const NOTHING_KNOWN: Text = { text: UNKNOWN, glob: false };

/** All that a word may come to. Where that would be too much, what nobody can tell. */
export function expand(word: Word, on: Surroundings): readonly Text[] {
  let made: readonly Text[] = [{ text: '', glob: false }];
  for (const [at, part] of word.entries()) {
    const values = valuesOf(part, at, on);
    if (values.length === 1 && made.length === 1) made = [joined(made[0] as Text, values[0] as Text)];
    else made = made.flatMap((before) => values.map((value) => joined(before, value)));
    on.purse.left -= made.reduce((sum, { text }) => sum + text.length + (made.length > 1 ? COST_OF_ONE_MORE : 1), 0);
    if (made.length > MOST_TEXTS || on.purse.left < 0) return [NOTHING_KNOWN];
  }
  return made;
}

function joined(before: Text, value: Text): Text {
  const text = before.text + value.text;
  return text.length > LONGEST ? NOTHING_KNOWN : { text, glob: before.glob || value.glob };
}

function valuesOf(part: Part, at: number, on: Surroundings): readonly Text[] {
  switch (part.kind) {
    case 'text':
      return part.quoted ? [{ text: part.text, glob: false }] : unquoted(part.text, at === 0, on);
    case 'variable': {
      const known = part.name === 'PWD' && on.cwd !== null ? [{ text: on.cwd, glob: false }] : (on.variables.get(part.name) ?? []);
      const values = part.otherwise === undefined ? known : [...known, ...expand(part.otherwise, on)];
      return values.length > 0 ? (part.splits ? split(values) : values) : [NOTHING_KNOWN];
    }
    case 'array': {
      const values = wordsOf(part.script).flatMap((word) => expand(word, on));
      return values.length > 0 ? values.slice(0, MOST_TEXTS) : [{ text: '', glob: false }];
    }
    case 'output': {
      const values = on.printed(part.script);
      return values.length > 0 ? values : [NOTHING_KNOWN];
    }
  }
}

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

export const wordsOf = (script: Script): readonly Word[] => script.flatMap((item) => (item.kind === 'command' ? item.command.words : []));

function unquoted(text: string, first: boolean, on: Surroundings): readonly Text[] {
  const home = on.variables.get('HOME')?.[0]?.text;
  const plain =
    home === undefined || !text.includes('~') ? text : text.replace(first ? /(^|[=:])~(?=\/|$)/ : /([=:])~(?=\/|$)/, `$1${home}`);
  const glob = /[*?[]/.test(plain);
  return plain.includes('{') ? braces(plain).map((each) => ({ text: each, glob })) : [{ text: plain, glob }];
}

const MOST_BRACES = 8;

/** `{a,b}` without nesting, which is what people write. */
function braces(text: string, open = 0): readonly string[] {
  const found = open < MOST_BRACES && text.length < LONGEST ? /\{[^{}]*\}/.exec(text) : null;
  if (found === null) return [text];
  const [whole] = found;
  const options = whole.includes(',') ? whole.slice(1, -1).split(',') : [whole];
  const before = text.slice(0, found.index);
  const after = braces(text.slice(found.index + whole.length), open + 1);
  const made = options.flatMap((each) => after.map((rest) => before + each + rest));
  return made.length > MOST_TEXTS ? [text] : made;
}
