import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord } from '../src/text/shell-word.ts';

/** Printed by a real shell, byte for byte. */
const pasted = (words: readonly string[]): string[] =>
  execFileSync('sh', ['-c', `show() { printf '%s\\0' "$@"; }; show ${words.join(' ')}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

const ODD = [
  '$(exit 1)',
  '`x`',
  ';',
  "'",
  '"',
  '\\',
  '\n',
  '\t',
  '\u001b[2J',
  '\u202e',
  ' ',
  '  ',
  '*',
  '?',
  '[a]',
  '~',
  '-',
  '!',
  '#',
  '&',
  '|',
  '<',
  '>',
  '{a,b}',
  'é',
  '日本',
  '😀',
  'piton trust ',
  '%s',
  '\u0085',
  '\u00a0',
  '\u200b',
  'a',
];
const texts = fc
  .array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((text) => !text.endsWith('\n'));

it('a real shell gets the word as it was, whatever it is', () => {
  const samples = fc.sample(texts, { numRuns: 400, seed: 14 });
  expect(pasted(samples.map(shellWord))).toEqual(samples);
});

it('stands on one line, with nothing in it that steers a terminal or changes when lines are wrapped', () => {
  for (const text of [...fc.sample(texts, { numRuns: 400, seed: 15 }), 'a\n', ' a', 'a ']) {
    const word = shellWord(text);
    expect(word).not.toMatch(/[\p{Cc}\p{Cf}]| {2}/u);
    expect(word).toBe(word.trim());
  }
});

it('leaves plain words as they are', () => {
  expect(['project:stop/10-x', 'a/b.sh', '', "it's"].map(shellWord)).toEqual(['project:stop/10-x', 'a/b.sh', "''", `'it'\\''s'`]);
});
