import { diffWordsWithSpace, parsePatch } from 'diff';

export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly oldNumber: number | null;
  readonly newNumber: number | null;
  readonly pieces: readonly Piece[];
}
export interface DiffPair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Words are compared only where a line has its counterpart, and is not endless. */
const MAX_COMPARED = 400;
const whole = (text: string): readonly Piece[] => [{ text, changed: false }];

function comparedPieces(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] | null {
  if (before.length > MAX_COMPARED || after.length > MAX_COMPARED) return null;
  const parts = diffWordsWithSpace(before, after);
  const same = parts.reduce((sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length), 0);
  if (same * 3 < Math.max(before.length, after.length)) return null; // another line, not a change of this one
  const side = (skipped: 'added' | 'removed', own: 'added' | 'removed') =>
    parts.filter((part) => !part[skipped]).map((part) => ({ text: part.value, changed: part[own] === true }));
  return [side('added', 'removed'), side('removed', 'added')];
}

/** A block of removed lines and the added ones that took their place, compared by pairs. */
function settleBlock(removed: readonly DiffLine[], added: readonly DiffLine[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
    const [left, right] = [removed[at] ?? null, added[at] ?? null];
    const pieces = left && right && comparedPieces(left.pieces[0]?.text ?? '', right.pieces[0]?.text ?? '');
    pairs.push(pieces ? { left: { ...left, pieces: pieces[0] }, right: { ...right, pieces: pieces[1] } } : { left, right });
  }
  return pairs;
}

/**
 * The parser refuses a hunk that has more or fewer lines than its head says, as the last one of a patch that was cut has. So each
 * head is made to say what is there.
 */
function settleHeads(patch: string): string {
  return patch
    .split(/^(?=@@ )/m)
    .flatMap((hunk) => {
      const [head = '', ...rest] = hunk.split('\n');
      const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(head) ?? [];
      if (from === undefined || to === undefined) return [];
      const lines = rest.filter((line) => /^[-+ \\]/.test(line));
      const count = (skipped: string) => lines.filter((line) => !line.startsWith(skipped) && !line.startsWith('\\')).length;
      return [`@@ -${from},${count('+')} +${to},${count('-')} @@\n${lines.map((line) => `${line}\n`).join('')}`];
    })
    .join('');
}

/** The hunks of one file as rows side by side. */
export function pairsOf(patch: string): readonly DiffPair[] {
  if (!patch.startsWith('@@')) return [];
  const [file] = parsePatch(`--- a\n+++ b\n${settleHeads(patch)}`);
  const pairs: DiffPair[] = [];
  for (const hunk of file?.hunks ?? []) {
    const heading: DiffLine = { kind: 'hunk', oldNumber: null, newNumber: null, pieces: whole(`line ${hunk.newStart}`) };
    pairs.push({ left: heading, right: heading });
    let [oldNumber, newNumber] = [hunk.oldStart, hunk.newStart];
    let removed: DiffLine[] = [];
    let added: DiffLine[] = [];
    const settle = () => {
      pairs.push(...settleBlock(removed, added));
      [removed, added] = [[], []];
    };
    for (const line of hunk.lines) {
      const pieces = whole(line.slice(1));
      if (line.startsWith('-')) removed.push({ kind: 'removed', oldNumber: oldNumber++, newNumber: null, pieces });
      else if (line.startsWith('+')) added.push({ kind: 'added', oldNumber: null, newNumber: newNumber++, pieces });
      else if (line.startsWith(' ')) {
        settle();
        const same: DiffLine = { kind: 'same', oldNumber: oldNumber++, newNumber: newNumber++, pieces };
        pairs.push({ left: same, right: same });
      }
    }
    settle();
  }
  return pairs;
}

/** The same in one column: of each block what was removed, then what was added. */
export function linesOf(pairs: readonly DiffPair[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { left, right } of pairs) {
    if (left && left === right) {
      lines.push(...added, left);
      added = [];
    } else {
      if (left) lines.push(left);
      if (right) added.push(right);
    }
  }
  return [...lines, ...added];
}
