import type { Word, WordPart } from './syntax.ts';
import { hasOpen, tildeAtStart, tildesIn } from './tildes.ts';

/** Nobody writes as many. */
const MOST_WORDS = 64;
const MOST_BRACES = 64;
/** A character of unquoted text, or a part of another kind. */
type Item = string | WordPart;

/** `{a,b}` and `{1..3}` written out, before anything else is expanded. Undefined where that would be too much. */
export function expandBraces(word: Word): readonly Word[] | undefined {
  if (!hasOpen(word, '{')) return [word];
  const items = word.flatMap((part): Item[] => (part.kind === 'text' && !part.quoted ? part.text.split('') : [part]));
  if (items.filter((item) => item === '{').length > MOST_BRACES) return undefined;
  const words = writtenOut(items)?.map(joined);
  return words === undefined || words.some(growsAName)
    ? undefined
    : words.map((each) => (words.length === 1 ? tildesIn(each) : tildeAtStart(each)));
}

/** `{$A,x}b` reads `$Ab` once it is written out. */
const growsAName = (word: Word): boolean =>
  word.some((part, at) => {
    const next = word[at + 1];
    return (
      part.kind === 'variable' &&
      part.source === `$${part.name}` &&
      /^[A-Za-z_]/.test(part.name) &&
      next?.kind === 'text' &&
      !next.quoted &&
      /^\w/.test(next.text)
    );
  });

function writtenOut(items: readonly Item[]): Item[][] | undefined {
  for (let open = items.indexOf('{'); open >= 0; open = items.indexOf('{', open + 1)) {
    const inside = insideOf(items, open);
    if (inside === 'literal') continue;
    if (inside === undefined) return undefined;
    const choices = inside.sequence ?? inside.choices.map(writtenOut);
    const after = writtenOut(items.slice(inside.end + 1));
    if (after === undefined) return undefined;
    const made: Item[][] = [];
    for (const choice of choices) {
      if (choice === undefined || made.length + choice.length * after.length > MOST_WORDS) return undefined;
      for (const each of choice) for (const rest of after) made.push([...items.slice(0, open), ...each, ...rest]);
    }
    return made;
  }
  return [[...items]];
}

interface Inside {
  readonly end: number;
  readonly choices: readonly Item[][];
  readonly sequence?: readonly Item[][][];
}

/** What stands between a brace and the one that closes it, if it is a list or a sequence. Undefined: nobody can tell. */
function insideOf(items: readonly Item[], open: number): Inside | 'literal' | undefined {
  const choices: Item[][] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = from; at < items.length; at++) {
    const item = items[at];
    if (item === '{') depth++;
    else if (item === ',' && depth === 0) {
      choices.push(items.slice(from, at));
      from = at + 1;
    } else if (item === '}' && depth-- === 0) {
      const last = items.slice(from, at);
      if (choices.length > 0) return { end: at, choices: [...choices, last] };
      const sequence = last.every((each) => typeof each === 'string') ? sequenceOf(last.join('')) : undefined;
      if (sequence !== undefined) return { end: at, choices, sequence };
      // What a shell makes of `{a},b}` is its own affair.
      const rest = items.slice(at + 1);
      return rest.includes(',') && rest.includes('}') ? undefined : 'literal';
    }
  }
  return 'literal';
}

const SEQUENCE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/;

function sequenceOf(text: string): Item[][][] | undefined {
  const [whole, first, last, from, to, by] = SEQUENCE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [start, end] = from === undefined ? [Number(first), Number(last)] : [from.charCodeAt(0), (to as string).charCodeAt(0)];
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  // Of very many each is some number.
  if (Math.abs(end - start) / step >= MOST_WORDS) return [[[{ kind: 'number', operands: [] }]]];
  const isPadded = [first, last].some((each) => each !== undefined && /^-?0\d/.test(each));
  const width = isPadded ? Math.max((first as string).length, (last as string).length) : 0;
  const made: Item[][][] = [];
  for (let at = start; start <= end ? at <= end : at >= end; at += start <= end ? step : -step)
    made.push([(from === undefined ? padded(at, width) : String.fromCharCode(at)).split('')]);
  return made;
}

const padded = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');

function joined(items: readonly Item[]): WordPart[] {
  const parts: WordPart[] = [];
  for (const item of items) {
    const last = parts.at(-1);
    if (typeof item !== 'string') parts.push(item);
    else if (last?.kind === 'text' && !last.quoted) parts[parts.length - 1] = { ...last, text: last.text + item };
    else parts.push({ kind: 'text', text: item, quoted: false });
  }
  return parts;
}
