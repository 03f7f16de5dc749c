import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Count, measure } from './corpus/measure.ts';

const measured = measure(resolve(import.meta.dirname, '../../..'));
const recall = (counts: readonly Count[]): number => {
  const sum = (of: (count: Count) => number): number => counts.reduce((all, count) => all + of(count), 0);
  return sum(({ caught }) => caught) / sum(({ samples }) => samples);
};

describe('the corpora in packages/redact/corpus', () => {
  it('hold thousands of secrets of many kinds, and hundreds of innocents', () => {
    expect(measured.counts.reduce((all, { samples }) => all + samples, 0)).toBeGreaterThan(15_000);
    expect(measured.kinds).toBeGreaterThan(200);
    expect(measured.innocents).toBeGreaterThan(300);
  });

  it.each(['first', 'later'] as const)('lose at least 99 percent of the secrets that were written %s', (set) => {
    const counts = measured.counts.filter((count) => count.set === set);
    const missed = measured.missed
      .filter((sample) => sample.set === set)
      .map(({ group, text }) => `    ${group}: ${JSON.stringify(text.slice(0, 120))}`);
    console.log(`recall of the rows written ${set}: ${(100 * recall(counts)).toFixed(2)} %\n${missed.slice(0, 30).join('\n')}`);
    expect(recall(counts)).toBeGreaterThanOrEqual(0.99);
  });

  it('lose at least 99 percent in every context, but for a miss or two', () => {
    const poor = measured.counts.filter((count) => count.samples - count.caught > Math.max(2, count.samples / 100));
    expect(poor).toEqual([]);
  });

  it('keep every innocent as it is', () => {
    expect(measured.changed).toEqual([]);
  });
});
