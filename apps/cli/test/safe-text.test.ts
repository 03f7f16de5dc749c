import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { painter } from '../src/output/paint.ts';
import { jsonText, safeText } from '../src/output/safe-text.ts';

const paint = painter(true);

describe('text for a terminal', () => {
  it('keeps our colours, line breaks, tabs and letters of every language', () => {
    const text = `${paint('red', 'error')}: ${paint('bold', 'Grüße 你好')}\r\n\tnext\n`;
    expect(safeText(text, true)).toBe(text);
  });

  it('replaces what would control the terminal, and keeps the rest', () => {
    expect(safeText('a\u001b[2Jb\u0007\u009b1mc\rd\u202ee\u001b]0;t', true)).toBe('a�[2Jb��1mc�d�e�]0;t');
  });

  it('has no colours where they are off, and never those that hide text', () => {
    expect(safeText('\u001b[31mred', false)).toBe('�[31mred');
    expect(safeText('\u001b[8mhidden\u001b[30;40m', true)).toBe('�[8mhidden�[30;40m');
  });
});

describe('JSON', () => {
  it('parses to the same value, whatever it contains, and has no control characters', () => {
    const letters = fc.string({ unit: fc.integer({ min: 0, max: 0x2100 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(letters, (text) => {
        const json = jsonText({ [text]: text }, 2);
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(safeText(json, false)).toBe(json);
      }),
    );
  });
});
