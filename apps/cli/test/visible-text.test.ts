import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../src/output/text.ts';
import { rowsOf, visibleBytes, visibleText } from '../src/output/visible-text.ts';

describe('text of others, for review', () => {
  it.each([
    ['\u001b[2J\u001b]0;t\u0007', '<ESC>[2J<ESC>]0;t<BEL>'],
    ['a\rb\nc', 'a<CR>b<LF>c'],
    ['x\u202ey\u2066', 'x<U+202E>y<U+2066>'],
    ['a\u200bb\u00adc\ufeff', 'a<U+200B>b<U+00AD>c<U+FEFF>'],
    ['rm\u00a0-rf', 'rm<U+00A0>-rf'],
    ['tag\u{e0041}', 'tag<U+E0041>'],
    ['\ufffd\ufe0f', '<U+FFFD><U+FE0F>'],
    ['\u009b31m', '<U+009B>31m'],
    ['\tTab, ä, 漢字, 🙂', '\tTab, ä, 漢字, 🙂'],
  ])('%j is %s', (text, shown) => expect(visibleText(text)).toBe(shown));

  it('names bytes that are no UTF-8', () => {
    expect(visibleBytes(Buffer.from([0x61, 0xe9, 0x1b, 0x0d, 0xff]))).toBe('a<0xE9><ESC><CR><0xFF>');
    expect(visibleBytes(Buffer.from('\ufeffä'))).toBe('<U+FEFF>ä');
  });

  it('holds no control character, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(visibleBytes(bytes)).not.toMatch(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it('is wrapped without losing anything, into rows that fit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }).map(visibleText), fc.integer({ min: 10, max: 80 }), (text, width) => {
        const rows = rowsOf(text.replaceAll('\t', ' '), width, widthOf);
        expect(rows.join('')).toBe(text.replaceAll('\t', ' '));
        for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
