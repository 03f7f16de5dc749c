import { ANYTHING, type CharSet, caseless, charSet, DIGIT, inverted, LINE_END, SPACE, single, union, WORD } from './char-set.ts';

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'boundary' | 'no-boundary';

export type Node =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly of: Node; readonly least: number; readonly most: number };

/** Thrown inside this folder only. */
export class Refused extends Error {}

export interface Flags {
  readonly caseless: boolean;
  readonly lines: boolean;
  readonly dotAll: boolean;
}

const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  D: inverted(DIGIT),
  w: WORD,
  W: inverted(WORD),
  s: SPACE,
  S: inverted(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12 };

const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;

/** Reads a regular expression that JavaScript itself has accepted. What cannot be run in linear time, or is rare, is refused. */
export function parsePattern(source: string, flags: Flags): Node {
  let at = 0;
  const folded = (set: CharSet): CharSet => (flags.caseless ? caseless(set) : set);

  function choice(): Node {
    const options = [sequence()];
    while (source[at] === '|') {
      at++;
      options.push(sequence());
    }
    return options.length === 1 ? (options[0] as Node) : { kind: 'choice', options };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom()));
    return { kind: 'sequence', parts };
  }

  function quantified(of: Node): Node {
    QUANTIFIER.lastIndex = at;
    const bounds = QUANTIFIER.exec(source);
    if (bounds === null) return of;
    at += bounds[0].length;
    const [text, least, comma, most] = bounds;
    if (text[0] === '*') return { kind: 'repeat', of, least: 0, most: Number.POSITIVE_INFINITY };
    if (text[0] === '+') return { kind: 'repeat', of, least: 1, most: Number.POSITIVE_INFINITY };
    if (text[0] === '?') return { kind: 'repeat', of, least: 0, most: 1 };
    const low = Number(least);
    return { kind: 'repeat', of, least: low, most: comma === undefined ? low : most ? Number(most) : Number.POSITIVE_INFINITY };
  }

  function atom(): Node {
    const char = source[at++] as string;
    if (char === '(') return group();
    if (char === '[') return { kind: 'chars', set: characterClass() };
    if (char === '.') return { kind: 'chars', set: flags.dotAll ? ANYTHING : inverted(LINE_END) };
    if (char === '^') return { kind: 'assert', what: flags.lines ? 'line-start' : 'start' };
    if (char === '$') return { kind: 'assert', what: flags.lines ? 'line-end' : 'end' };
    if (char !== '\\') return { kind: 'chars', set: folded(single(char.charCodeAt(0))) };
    if (source[at] === 'b' || source[at] === 'B') return { kind: 'assert', what: source[at++] === 'b' ? 'boundary' : 'no-boundary' };
    return { kind: 'chars', set: folded(escaped()) };
  }

  function group(): Node {
    if (source[at] === '?') {
      const opening = /^\?(?::|<[A-Za-z_$][\w$]*>)/.exec(source.slice(at, at + 80));
      if (opening === null)
        throw new Refused(/^\?<?[=!]/.test(source.slice(at)) ? 'looks ahead or behind' : 'has an uncommon kind of group');
      at += opening[0].length;
    }
    const inside = choice();
    at++;
    return inside;
  }

  function characterClass(): CharSet {
    const negated = source[at] === '^';
    if (negated) at++;
    const sets: CharSet[] = [];
    while (source[at] !== ']') {
      const from = member();
      if (source[at] === '-' && source[at + 1] !== ']') {
        const dash = at++;
        const to = member();
        if (typeof from === 'number' && typeof to === 'number') sets.push(charSet([[from, to]]));
        // JavaScript takes the dash as itself where one side is a class.
        else sets.push(setOf(from), single(source.charCodeAt(dash)), setOf(to));
      } else sets.push(setOf(from));
    }
    at++;
    const set = folded(union(sets));
    return negated ? inverted(set) : set;
  }

  function member(): number | CharSet {
    const char = source[at++] as string;
    if (char !== '\\') return char.charCodeAt(0);
    if (source[at] === 'b') {
      at++;
      return 8;
    }
    const set = escaped();
    return set.length === 2 && set[0] === set[1] ? (set[0] as number) : set;
  }

  function escaped(): CharSet {
    const char = source[at++] as string;
    const known = CLASSES[char];
    if (known !== undefined) return known;
    const control = CONTROLS[char];
    if (control !== undefined) return single(control);
    if (/[1-9k]/.test(char)) throw new Refused('has a backreference');
    const code = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/.exec(source.slice(at - 1, at + 4));
    if (code !== null) {
      at += code[0].length - 1;
      return single(Number.parseInt(code[1] ?? (code[2] as string), 16));
    }
    if (char === '0' && !/\d/.test(source[at] ?? '')) return single(0);
    if (/[0-9A-Za-z]/.test(char)) throw new Refused(`has \\${char}, which is uncommon`);
    return single(char.charCodeAt(0));
  }

  return choice();
}

const setOf = (member: number | CharSet): CharSet => (typeof member === 'number' ? single(member) : member);
