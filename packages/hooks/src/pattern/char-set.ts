/** Inclusive ranges of UTF-16 code units, in pairs, sorted and apart: what one step of a pattern takes. */
export type CharSet = readonly number[];

const LAST = 0xffff;

export function charSet(pairs: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [from, to] of sorted) {
    const end = set.at(-1);
    if (end !== undefined && from <= end + 1) set[set.length - 1] = Math.max(end, to);
    else set.push(from, to);
  }
  return set;
}

export const single = (unit: number): CharSet => [unit, unit];
export const union = (sets: readonly CharSet[]): CharSet => charSet(sets.flatMap(pairsOf));

export function inverted(set: CharSet): CharSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [start, end] of pairsOf(set)) {
    if (start > from) rest.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= LAST) rest.push([from, LAST]);
  return charSet(rest);
}

export function has(set: CharSet, unit: number): boolean {
  for (let at = 0; at < set.length; at += 2) {
    if (unit < (set[at] as number)) return false;
    if (unit <= (set[at + 1] as number)) return true;
  }
  return false;
}

function pairsOf(set: CharSet): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at < set.length; at += 2) pairs.push([set[at] as number, set[at + 1] as number]);
  return pairs;
}

export const DIGIT: CharSet = charSet([[0x30, 0x39]]);
export const WORD: CharSet = charSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const SPACE: CharSet = charSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
export const LINE_END: CharSet = charSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]);
export const ANYTHING: CharSet = [0, LAST];

let alike: Map<number, number[]> | undefined;

/** As ECMAScript's Canonicalize does without the `u` flag. */
function folded(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  if (upper.length !== 1) return unit;
  const code = upper.charCodeAt(0);
  return unit >= 128 && code < 128 ? unit : code;
}

/** The set with every unit that differs from one of it in case only. */
export function caseless(set: CharSet): CharSet {
  if (alike === undefined) {
    const groups = new Map<number, number[]>();
    for (let unit = 0; unit <= LAST; unit++) {
      const fold = folded(unit);
      const group = groups.get(fold);
      if (group === undefined) groups.set(fold, [unit]);
      else group.push(unit);
    }
    alike = new Map();
    for (const group of groups.values()) if (group.length > 1) for (const unit of group) alike.set(unit, group);
  }
  const more: [number, number][] = [];
  for (const [unit, group] of alike) if (has(set, unit)) for (const other of group) more.push([other, other]);
  return charSet([...pairsOf(set), ...more]);
}
