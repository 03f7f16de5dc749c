/** How far apart two versions may be before lines are matched by those that occur once. */
const MOST_EDITS = 1500;

/** For each line of `after`, the line of `before` that it is, or -1. */
export function matchLines(before: readonly string[], after: readonly string[]): Int32Array {
  const match = new Int32Array(after.length).fill(-1);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    match[start] = start;
    start++;
  }
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) match[--endAfter] = --endBefore;
  const [a, b] = [before.slice(start, endBefore), after.slice(start, endAfter)];
  const pairs = shortestEdit(a, b) ?? uniqueLines(a, b);
  for (const [left, right] of pairs) match[right + start] = left + start;
  return match;
}

type Pair = readonly [before: number, after: number];

/** Myers' greedy walk; null if the two differ too much for it. */
function shortestEdit(a: readonly string[], b: readonly string[]): Pair[] | null {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const offset = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(furthest.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(furthest, offset, diagonal, edits);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest[offset + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, offset, a.length, b.length);
    }
  }
  return null;
}

function startOf(furthest: Int32Array, offset: number, diagonal: number, edits: number): number {
  const [down, right] = [furthest[offset + diagonal + 1] ?? 0, furthest[offset + diagonal - 1] ?? 0];
  return diagonal === -edits || (diagonal !== edits && right < down) ? down : right + 1;
}

function walkBack(trace: readonly Int32Array[], offset: number, lengthA: number, lengthB: number): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [lengthA, lengthB];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits] ?? new Int32Array();
    const diagonal = x - y;
    const [down, right] = [furthest[offset + diagonal + 1] ?? 0, furthest[offset + diagonal - 1] ?? 0];
    const previous = diagonal === -edits || (diagonal !== edits && right < down) ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : (furthest[offset + previous] ?? 0);
    const fromY = edits === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

/** Lines that occur once on either side, as long as they stay in order. */
function uniqueLines(a: readonly string[], b: readonly string[]): Pair[] {
  const once = (lines: readonly string[]) => {
    const at = new Map<string, number>();
    for (const [index, line] of lines.entries()) at.set(line, at.has(line) ? -1 : index);
    return at;
  };
  const [inA, inB] = [once(a), once(b)];
  const pairs: Pair[] = [];
  let last = -1;
  for (const [line, right] of inB) {
    const left = inA.get(line) ?? -1;
    if (right < 0 || left <= last) continue;
    pairs.push([left, right]);
    last = left;
  }
  return pairs;
}
