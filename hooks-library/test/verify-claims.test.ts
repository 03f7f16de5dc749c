import { describe, expect, test } from 'vitest';
import { countEndings, type Ending, endings, foundWrong } from './corpus/endings.ts';

const all = endings();
const shown = (some: readonly Ending[]): string =>
  some
    .map((ending) => `${ending.agent}: ${ending.says} ${JSON.stringify(ending.facts)} → ${JSON.stringify(foundWrong(ending))}`)
    .join('\n');

describe('the endings of verify-claims', () => {
  test('are more than a hundred, of many agents, true and false, a third of them written after the rules', () => {
    expect(all.length).toBeGreaterThanOrEqual(120);
    expect(new Set(all.map(({ agent }) => agent)).size).toBeGreaterThanOrEqual(8);
    expect(all.filter(({ isLater }) => isLater).length).toBeGreaterThan(all.length / 3);
    const wrong = all.filter((ending) => ending.wrong.length > 0).length;
    expect(Math.min(wrong, all.length - wrong)).toBeGreaterThan(all.length / 3);
  });

  test('at least 95 % of what is called wrong is wrong', () => {
    const mistaken = all.filter((ending) => foundWrong(ending).some((kind) => !ending.wrong.includes(kind)));
    expect(countEndings(all).precision, shown(mistaken)).toBeGreaterThanOrEqual(0.95);
  });

  test('at least 80 % of what is wrong is found', () => {
    const missed = all.filter((ending) => ending.wrong.some((kind) => !foundWrong(ending).includes(kind)));
    const { found, wrong } = countEndings(all);
    expect(found / wrong, shown(missed)).toBeGreaterThanOrEqual(0.8);
  });
});
