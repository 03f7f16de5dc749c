import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { linesOf, pairsOf } from '../src/diff/rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'piton-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The hunks between two texts, as git prints them. */
function patchOf(before: string, after: string): string {
  const [a, b] = [join(folder, 'a'), join(folder, 'b')];
  writeFileSync(a, before);
  writeFileSync(b, after);
  try {
    execFileSync('git', ['diff', '--no-index', '--no-color', a, b], { encoding: 'utf8' });
    return '';
  } catch (error) {
    const { stdout } = error as { stdout: string };
    return stdout.slice(stdout.indexOf('@@'));
  }
}

const textOf = (line: { pieces: readonly { text: string }[] }): string => line.pieces.map(({ text }) => text).join('');

/** Built again from the rows: what was there before, and what is there after. */
function sidesOf(patch: string): readonly [string, string] {
  const lines = linesOf(pairsOf(patch)).filter(({ kind }) => kind !== 'hunk');
  const side = (left: 'added' | 'removed') => lines.filter(({ kind }) => kind !== left).map((line) => `${textOf(line)}\n`);
  return [side('added').join(''), side('removed').join('')];
}

describe('the rows of a diff', () => {
  it.each([
    ['a changed word', 'one\ntwo\nthree\n', 'one\ntwo and a half\nthree\n'],
    ['lines added at the end', 'one\n', 'one\ntwo\nthree\n'],
    ['lines removed at the start', 'one\ntwo\n', 'two\n'],
    ['a new file', '', 'one\ntwo\n'],
    ['a file that became empty', 'one\ntwo\n', ''],
    ['lines that look like a diff', '-- a\n++ b\n@@ x\n', '-- a\n++ c\n@@ x\n'],
    ['empty lines', 'a\n\n\nb\n', 'a\n\nb\n\n'],
    ['a block that became longer', 'a\nb\nc\n', 'A\nB\nC\nD\nE\n'],
    ['tabs and wide characters', '\tä\n日本\n', '\tö\n日本語\n'],
  ])('have every line of both sides: %s', (_, before, after) => {
    expect(sidesOf(patchOf(before, after))).toEqual([before, after]);
  });

  it('pair what was removed with what took its place, and mark the words that differ', () => {
    const [, , pair] = pairsOf(patchOf('one\nthe quick fox jumps\n', 'one\nthe slow fox jumps\n'));
    const marked = (line: typeof pair) =>
      [line?.left, line?.right].map((side) => side?.pieces.filter(({ changed }) => changed).map(({ text }) => text));
    expect(marked(pair)).toEqual([['quick'], ['slow']]);
  });

  it('mark nothing in lines that have little in common', () => {
    const pairs = pairsOf(patchOf('completely different\n', 'nothing to see\n'));
    expect(
      pairs.flatMap(({ left, right }) => [...(left?.pieces ?? []), ...(right?.pieces ?? [])]).filter(({ changed }) => changed),
    ).toEqual([]);
  });

  it('have the numbers that git gives', () => {
    const before = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
    const rows = linesOf(pairsOf(patchOf(before, before.replace('line 30\n', 'line thirty\n'))));
    expect(rows.find(({ kind }) => kind === 'removed')?.oldNumber).toBe(30);
    expect(rows.find(({ kind }) => kind === 'added')?.newNumber).toBe(30);
  });

  it('are there up to the place at which a patch was cut, wherever that is', () => {
    const patch = patchOf('a\nb\nc\nd\n', 'a\nB\nc\nD\ne\n');
    const whole = linesOf(pairsOf(patch)).map(textOf).join('');
    for (let at = 0; at < patch.length; at += 1) {
      const shown = linesOf(pairsOf(patch.slice(0, at)));
      expect(shown.map(textOf).join('').length, `cut at ${at}`).toBeLessThanOrEqual(whole.length);
      if (at > patch.indexOf('\n', 3) + 3) expect(shown.length, `cut at ${at}`).toBeGreaterThan(1);
    }
  });

  it.each(['', 'Binary files differ', '@@ broken', '@@ -1,1 +1,1 @@\nx'])('are none where there is no patch: %j', (text) => {
    expect(() => pairsOf(text)).not.toThrow();
  });
});
