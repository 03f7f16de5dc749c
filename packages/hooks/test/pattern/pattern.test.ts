import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/pattern/index.ts';

const letters = fc.constantFrom('a', 'b', 'A', 'é', 'É', 'K', '\u212a', 'ſ', '_', '-', ' ', '\n', '/', '1', 'ß', '\u2028');
const text = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));

const unit = fc.constantFrom(
  'a',
  'b',
  'A',
  'é',
  'k',
  's',
  '.',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\D',
  '\\n',
  '\\x41',
  '\\u00e9',
  '\\.',
  '\\/',
  '_',
  '-',
  ']',
  '}',
  '{',
  '[ab]',
  '[^ab]',
  '[a-c_]',
  '[\\w-]',
  '[\\d-x]',
  '[^\\W]',
  '[^]',
  '[]',
  '[\\b]',
  '[-a]',
  '[A-Z]',
  '[^\\s/]',
);
const anchor = fc.constantFrom('^', '$', '\\b', '\\B');
// biome-ignore format: a table
const quantifier = fc.constantFrom(
  '', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '{0}', '{0,0}', '{,2}', '{2', '{a}', '{1,3}?', '??', `{${'0'.repeat(30)}2}`,
);

/** Patterns of JavaScript, made from its grammar. */
const pattern = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 4 },
    unit,
    tie('node').map((inside) => `(${inside})`),
    tie('node').map((inside) => `(?:${inside})`),
  ),
  node: fc.oneof(
    { maxDepth: 4 },
    unit,
    anchor,
    fc.tuple(tie('atom'), quantifier).map(([atom, count]) => atom + count),
    fc.tuple(tie('node'), tie('node')).map(([first, second]) => first + second),
    fc.tuple(tie('node'), tie('node')).map(([first, second]) => `${first}|${second}`),
  ),
})).node;

describe('a pattern', () => {
  it.each(['', 'i', 'm', 's', 'ims'])('matches what the RegExp of JavaScript matches, with the flags %j', (flags) => {
    let compared = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 8 }), (source, texts) => {
        let oracle: RegExp;
        try {
          oracle = new RegExp(source, flags);
        } catch {
          return; // two quantifiers in a row, and the like
        }
        const mine = compilePattern(source, flags);
        if (!mine.ok) throw new Error(`/${source}/${flags} was refused: it ${mine.problem}`);
        for (const one of texts) {
          compared++;
          if (mine.test(one) !== oracle.test(one)) throw new Error(`/${source}/${flags} on ${JSON.stringify(one)}: ${oracle.test(one)}`);
        }
      }),
      { numRuns: 1500 },
    );
    expect(compared).toBeGreaterThan(1000);
  });

  it.each(['', 'i'])('agrees with JavaScript on every code unit, with the flags %j', (flags) => {
    for (const source of ['^[k-s]$', '^\\w$', '^[^\\W]$', '^\\s$', '^.$', '^[\\u00e0-\\u0180]$', '^[^a-zµ]$', '^\\b.$']) {
      const oracle = new RegExp(source, flags);
      const mine = compilePattern(source, flags);
      const differs: string[] = [];
      for (let code = 0; code <= 0xffff; code++) {
        const char = String.fromCharCode(code);
        if (mine.ok && mine.test(char) !== oracle.test(char)) differs.push(code.toString(16));
      }
      expect({ source, ok: mine.ok, differs }).toEqual({ source, ok: true, differs: [] });
    }
  });

  it.each([
    ['(a+)+b', 'a'],
    ['(a|aa)*b', 'a'],
    ['(a*)*b', 'a'],
    ['(.*)*(.*)*(.*)*x', 'y'],
    ['(a?){50}a{50}b', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['(\\w+\\s?)+$x', 'ab '],
  ])('/%s/ is done with a text that would keep a backtracking engine busy for ever', (source, part) => {
    const compiled = compilePattern(source, '');
    expect(compiled.ok && compiled.test(part.repeat(300_000))).toBe(false);
  });

  it('holds little, whatever it is shown', () => {
    const compiled = compilePattern('(?:a|b)*a(?:a|b){20}c', '');
    let seed = 1;
    const random = Array.from({ length: 200_000 }, () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed & 0x4000 ? 'a' : 'b';
    }).join('');
    const before = process.memoryUsage().heapUsed;
    expect(compiled.ok && compiled.test(random)).toBe(false);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200e6);
  });

  it.each([
    ['(?=a)', 'looks ahead or behind'],
    ['(?<!a)b', 'looks ahead or behind'],
    ['(a)\\1', 'backreference'],
    ['(?<x>a)\\k<x>', 'backreference'],
    ['(', 'not a regular expression'],
    ['a{2,1}', 'not a regular expression'],
    ['[\\q]', 'uncommon'],
    ['\\p{L}', 'uncommon'],
    ['\\01', 'uncommon'],
    ['x{5000}', 'too large'],
    ['(?:(?:(?:){1000}){1000}){1000}', 'too large'],
    ['a'.repeat(1001), 'longer than'],
  ])('/%s/ is refused, and says why', (source, why) => {
    const compiled = compilePattern(source, '');
    expect(compiled.ok ? '' : compiled.problem).toContain(why);
  });
});
