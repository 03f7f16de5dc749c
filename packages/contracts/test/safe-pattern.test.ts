import { describe, expect, it } from 'vitest';
import { boundPattern } from '../src/index.ts';

describe('a pattern for texts of any length', () => {
  it.each([
    ['EMP-\\d{6}', 'EMP-123456', 'EMP-12345'],
    ['[a-z]+@corp', 'ann@corp', '@corp'],
    ['a{2,}b?', 'aaa', 'a'],
    ['x[+*]y', 'x+y', 'xxy'],
    ['(?:cat|dog)\\d*', 'cat', 'cow'],
    ['a\\+b', 'a+b', 'aab'],
  ])('matches what it did before: %s', (source, yes, no) => {
    const bounded = boundPattern(source);
    if (!bounded.ok) throw new Error(bounded.problem);
    const pattern = new RegExp(`^(?:${bounded.source})$`);
    expect([pattern.test(yes), pattern.test(no)]).toEqual([true, false]);
    expect([new RegExp(`^(?:${source})$`).test(yes), new RegExp(`^(?:${source})$`).test(no)]).toEqual([true, false]);
  });

  it('never walks over a whole text, whatever repeats', () => {
    const bounded = boundPattern('[a-z]+!');
    if (!bounded.ok) throw new Error(bounded.problem);
    expect(bounded.source).not.toMatch(/[+*]|,\}/);
    // Unbounded, this takes a number of steps that grows with the square of the length.
    expect(new RegExp(bounded.source).test('a'.repeat(2_000_000))).toBe(false);
  });

  it.each(['(a+)+', '(a|b)*c', '\\w+-\\w+-\\w+', '(?=a)b', '(a)\\1', '.*.*x', 'a'.repeat(300), '['])('is refused: %s', (source) => {
    expect(boundPattern(source).ok).toBe(false);
  });
});
