import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unifiedDiff } from '../src/output/unified-diff.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-diff-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Readable by `patch` itself. */
function patched(before: string, diff: string): string {
  const file = join(directory, 'file');
  writeFileSync(file, before);
  if (diff !== '') execFileSync('patch', ['--quiet', '--posix', file], { input: diff });
  return readFileSync(file, 'utf8');
}

describe('a unified diff', () => {
  it('looks like that of diff -u', () => {
    expect(unifiedDiff('f', 'a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf')).toBe(
      '--- f\n+++ f\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n-f\n+E\n+f\n\\ No newline at end of file\n',
    );
  });
  it('names a missing file /dev/null', () => {
    expect(unifiedDiff('f', null, 'a\n')).toBe('--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n');
    expect(unifiedDiff('f', 'a\n', null)).toBe('--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n');
  });
  it('is empty if nothing changes', () => {
    expect(unifiedDiff('f', 'a', 'a')).toBe('');
  });
  it('shows two long texts with nothing in common as replaced', () => {
    const text = (word: string): string => Array.from({ length: 2000 }, (_, at) => `${word} ${at}\n`).join('');
    const diff = unifiedDiff('f', text('old'), text('new'));
    expect(diff).toMatch(/^--- f\n\+\+\+ f\n@@ -1,2000 \+1,2000 @@\n-old 0\n/);
    expect(diff.split('\n')).toHaveLength(4004);
  });
  it('finds one line in a long text', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join('');
    expect(unifiedDiff('f', text, text.replace('line 9999\n', 'other\n'))).toContain('@@ -9997,7 +9997,7 @@');
  });
  it.skipIf(!hasPatch())('makes one text of the other, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '', '}', '  x'), { maxLength: 24 })
      .chain((lines) => fc.constantFrom('', '\n').map((end) => (lines.length === 0 ? 'x\n' : lines.join('\n') + end)));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== '' && after !== '');
        expect(patched(before, unifiedDiff('file', before, after))).toBe(after);
      }),
      { numRuns: 150 },
    );
  });
});

function hasPatch(): boolean {
  try {
    execFileSync('patch', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
