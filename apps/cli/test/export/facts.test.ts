import { describe, expect, it } from 'vitest';
import { compactNumber, durationBetween, shorten } from '../../src/export/facts.ts';
import { html } from '../../src/export/html.ts';
import { code, escaped } from '../../src/export/markdown.ts';

describe('untrusted text in Markdown', () => {
  it.each([
    ['@sam, see #12', '&#64;\u200bsam, see &#35;\u200b12'],
    ['fixes GH-3 and !4, www.example.org', 'fixes GH-\u200b3 and \\!\u200b4, www.\u200bexample.org'],
    ['<img src=x>', '&lt;img src=x&gt;'],
    ['**bold** _it_ [a](b) | `c`', '\\*\\*bold\\*\\* \\_it\\_ \\[a\\](b) \\| \\`c\\`'],
    ['- item\n1. item\n=== ', '\\- item\n1\\. item\n\\=== '],
    ['\u001b[31mred\u202e', 'red�'],
  ])('%j is only text', (text, wanted) => expect(escaped(text)).toBe(wanted));

  it.each([
    ['npm test', '`npm test`'],
    ['echo `date`', '`` echo `date` ``'],
    ['a ``` b', '````a ``` b````'],
    ['two\nlines', '`two lines`'],
    [' ', ''],
  ])('%j is a code span that nothing in it can end', (text, wanted) => expect(code(text)).toBe(wanted));
});

it('untrusted text in HTML is only text', () => {
  expect(html(`<a href="x" onclick='y'>&</a>`)).toBe('&lt;a href=&quot;x&quot; onclick=&#39;y&#39;&gt;&amp;&lt;/a&gt;');
});

describe('a long text', () => {
  it('is truncated between graphemes', () => {
    expect(shorten(`${'a'.repeat(10)}🧗🏽🧗🏽`, 12)).toBe(`${'a'.repeat(10)}…`);
    expect(shorten('short', 5)).toBe('short');
    expect(shorten(`${'b'.repeat(500)} c`, 501)).toBe(`${'b'.repeat(500)}…`);
  });
});

it('numbers are short', () => {
  expect([0, 999, 1000, 12_345, 999_949, 999_950, 1_234_567].map(compactNumber)).toEqual([
    '0',
    '999',
    '1.0k',
    '12.3k',
    '999.9k',
    '1.0M',
    '1.2M',
  ]);
  const from = '2026-01-05T12:00:00Z';
  expect(
    ['2026-01-05T12:00:00.2Z', '2026-01-05T12:00:45Z', '2026-01-05T12:09:00Z', '2026-01-05T14:05:00Z', null].map((to) =>
      durationBetween(from, to),
    ),
  ).toEqual(['1 s', '45 s', '9 min', '2 h 5 min', null]);
});
