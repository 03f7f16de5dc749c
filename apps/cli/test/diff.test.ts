import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf, diffLines } from '../src/trust/diff.ts';

const file = (path: string, text: string, executable = true) => ({ path, executable, bytes: Buffer.from(text) });

describe('the difference that a reviewer sees', () => {
  it('marks removed and added lines, with some context', () => {
    const [change] = changesOf([file('h', '1\n2\n3\n4\n5\n6\n7\n8\n')], [file('h', '1\n2\n3\n4\nnew\n6\n7\n8\n')]);
    expect(change).toEqual({
      path: 'h',
      change: 'edited',
      lines: [
        { mark: ' ', text: '3' },
        { mark: ' ', text: '4' },
        { mark: '-', text: '5' },
        { mark: '+', text: 'new' },
        { mark: ' ', text: '6' },
        { mark: ' ', text: '7' },
      ],
    });
  });

  it('names files that are new, gone, binary, or executable now', () => {
    const old = [file('a', 'x'), file('b', 'x', false), file('c', '\0old'), file('same', 'x')];
    const now = [file('b', 'x', true), file('c', '\0new'), file('d', 'x', false), file('same', 'x')];
    expect(changesOf(old, now)).toEqual([
      { path: 'a', change: 'removed', executable: true },
      { path: 'b', change: 'mode', executable: true },
      { path: 'c', change: 'binary', executable: true },
      { path: 'd', change: 'added', executable: false },
    ]);
  });

  it('shows two long texts with nothing in common as replaced', () => {
    const lines = (word: string): string[] => Array.from({ length: 2000 }, (_, at) => `${word} ${at}`);
    const marks = diffLines(lines('old'), lines('new')).map(({ mark }) => mark);
    expect(marks.join('')).toBe('-'.repeat(2000) + '+'.repeat(2000));
  });

  it('always contains both texts in full', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const diff = diffLines(a, b);
        expect(diff.filter(({ mark }) => mark !== '+').map(({ text }) => text)).toEqual(a);
        expect(diff.filter(({ mark }) => mark !== '-').map(({ text }) => text)).toEqual(b);
      }),
    );
  });
});
