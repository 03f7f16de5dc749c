import { describe, expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import { painter } from '../src/output/paint.ts';
import { table } from '../src/output/table.ts';
import { formatCount, oneLine, plural, printable, shortLine, truncate, truncateMiddle, widthOf, wrap } from '../src/output/text.ts';
import { formatAge, formatDuration, formatTime, parseSince } from '../src/output/time.ts';

const terminal = (width: number, colour = false): Context => ({ width, paint: painter(colour) }) as Context;

describe('text on a terminal', () => {
  it('is measured in columns: wide characters take two, colours none', () => {
    expect(widthOf('abc')).toBe(3);
    expect(widthOf('你好')).toBe(4);
    expect(widthOf('👍')).toBe(2);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('\u001b[31mred\u001b[39m')).toBe(3);
    expect(['⚠️', '1️⃣', '👍🏽', '🇩🇪', '👨‍👩‍👧', 'ﾊﾞ', '\u{20000}'].map(widthOf)).toEqual([2, 2, 2, 2, 2, 2, 2]);
    expect(['⚠', '…', '→', '✓', '│'].map(widthOf)).toEqual([1, 1, 1, 1, 1]);
    expect(['\u0301', ''].map(widthOf)).toEqual([0, 0]);
  });

  it('may be very long', () => {
    const long = 'é'.repeat(1_000_000);
    expect(widthOf(long)).toBe(1_000_000);
    expect(truncate(long, 4)).toBe('ééé…');
    expect(truncate(`a${'\u0301'.repeat(1000)}bc`, 1)).toBe('…');
  });

  it('is cut before it is measured, whatever it consists of', () => {
    for (const unit of ['word ', 'x', 'a\u0301', '\u0301', '👨‍👩‍👧', '漢', '\u001b[31mx', '\u001b[', '\u001b]8;;', '\n\t ', '\ud800'])
      expect(widthOf(shortLine(unit.repeat(1_000_000), 40))).toBeLessThanOrEqual(40);
    // What is dropped is never looked at: a reader of the end would find it.
    expect(shortLine(`${'a'.repeat(100_000)}\n`, 10)).toBe('aaaaaaaaa…');
  });

  it('is truncated between words, where that costs little', () => {
    expect(truncate('Bash: npm run build', 16)).toBe('Bash: npm run…');
    expect(truncate('Bash: npm run build', 14)).toBe('Bash: npm run…');
    expect(truncate('Bash: averyverylongword', 12)).toBe('Bash: avery…');
    expect(truncate('one two', 7)).toBe('one two');
  });

  it('is one line where there is no end of it', () => {
    expect(wrap('one two three', Number.POSITIVE_INFINITY)).toEqual(['one two three']);
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  });

  it('keeps both ends of an ID', () => {
    expect(truncateMiddle('project:pre-tool-use/10-guard', 19)).toBe('project:p…/10-guard');
    expect(truncateMiddle('你好你好你好', 7)).toBe('你好…好');
    expect(truncateMiddle('short', 9)).toBe('short');
  });

  it('has separators in its numbers', () => {
    expect([7, 1012, 1_000_000].map(formatCount)).toEqual(['7', '1,012', '1,000,000']);
    expect([plural(1, 'event'), plural(1012, 'event')]).toEqual(['1 event', '1,012 events']);
  });

  it('is truncated between graphemes, never inside one', () => {
    expect(truncate('abcdef', 4)).toBe('abc…');
    expect(truncate('你好吗', 5)).toBe('你好…');
    expect(truncate('你好吗', 4)).toBe('你…');
    expect(truncate('abc', 3)).toBe('abc');
    expect(truncate('👨‍👩‍👧x', 2)).toBe('…');
  });

  it('cannot control the terminal', () => {
    expect(oneLine('a\nb\t c\u001b[2J')).toBe('a b c');
    expect(printable('a\nb\u0007\u009b31m\u202e')).not.toMatch(/[\u0007\u009b\u202e]/);
    expect(printable('line one\nline two')).toBe('line one\nline two');
  });

  it('is wrapped between words, and a long word stays whole', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('unbreakable a', 4)).toEqual(['unbreakable', 'a']);
  });
});

describe('a table', () => {
  const columns = [
    { title: 'N', value: (row: { n: number; what: string }) => String(row.n), align: 'right' as const },
    { title: 'WHAT', value: (row: { n: number; what: string }) => row.what, flexible: true },
    { title: 'END', value: () => 'x', colour: () => 'red' as const },
  ];

  it('lines up its columns, right-aligned where asked', () => {
    expect(
      table(
        terminal(80),
        [
          { n: 1, what: 'a' },
          { n: 10, what: '你' },
        ],
        columns,
      ),
    ).toBe(' N  WHAT  END\n 1  a     x\n10  你    x\n');
  });

  it('truncates the flexible column when the terminal is narrow', () => {
    const lines = table(terminal(24), [{ n: 1, what: 'a very long text that does not fit' }], columns).split('\n');
    expect(lines.every((line) => widthOf(line) <= 24)).toBe(true);
    expect(lines[1]).toMatch(/…\s+x$/);
  });

  it('is never wider than the terminal, whatever its columns hold, and keeps IDs whole', () => {
    const long = 'x'.repeat(300);
    const some = [
      { title: 'HOOK', value: () => long },
      { title: 'STATE', value: () => 'not executable' },
      { title: 'WHAT', value: () => `${long} ${long}`, flexible: true },
      { title: 'PATH', value: () => `/${long}/end`, flexible: 'middle' as const },
      { title: 'ID', value: () => '01M7GEHWTJTX', whole: true },
    ];
    for (const width of [60, 80, 100, 200]) {
      const lines = table(terminal(width), [0], some).trimEnd().split('\n');
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(/\/?end +01M7GEHWTJTX$/);
    }
  });

  it('is not widened by one long text in a pipe', () => {
    const rows = [
      { n: 1, what: 'y'.repeat(1_000_000) },
      { n: 2, what: 'short' },
    ];
    const [heading = '', long = '', short = ''] = table(terminal(Number.POSITIVE_INFINITY), rows, columns).split('\n');
    expect(long.length).toBeLessThan(600);
    for (const line of [heading, short]) expect(line.length).toBeLessThan(100);
  });

  it('paints only where colours are on', () => {
    expect(table(terminal(80, true), [{ n: 1, what: 'a' }], columns)).toContain('\u001b[31m');
    expect(table(terminal(80), [{ n: 1, what: 'a' }], columns)).not.toContain('\u001b');
  });
});

describe('time', () => {
  it('is formatted in the unit a person would choose', () => {
    expect([0.4, 1.234, 25, 1500, 90_000].map(formatDuration)).toEqual(['400 µs', '1.23 ms', '25 ms', '1.5 s', '1 min']);
    expect([999, 61_000, 3_700_000, 90_000_000].map(formatAge)).toEqual(['0 s', '1 min', '1 h 1 min', '1 d 1 h']);
  });

  it('has the date only if it is not today', () => {
    const noon = new Date(2026, 0, 31, 12, 0, 5).getTime();
    expect(formatTime(noon, noon)).toBe('12:00:05');
    expect(formatTime(noon, noon + 86_400_000)).toBe('2026-01-31 12:00:05');
  });

  it('is parsed as a span or a date, or not at all', () => {
    const now = Date.UTC(2026, 0, 31, 12);
    expect(parseSince('90m', now)).toEqual(new Date(now - 90 * 60_000));
    expect(parseSince('2h', now)).toEqual(new Date(now - 7_200_000));
    expect(parseSince('1.5d', now)).toEqual(new Date(now - 129_600_000));
    expect(parseSince('2026-01-30T00:00:00Z', now)).toEqual(new Date(Date.UTC(2026, 0, 30)));
    expect(parseSince('soon', now)).toBeUndefined();
    expect(parseSince('99999999999d', now)).toBeUndefined();
  });
});
