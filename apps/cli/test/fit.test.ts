import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitLines } from '../src/output/fit.ts';
import { painter } from '../src/output/paint.ts';
import { widthOf } from '../src/output/text.ts';

describe('a line on a terminal', () => {
  it('stays as it is where it fits, and in a pipe', () => {
    expect(fitLines('  two  spaces', 80)).toBe('  two  spaces');
    expect(fitLines(`x ${'word '.repeat(100)}`, Number.POSITIVE_INFINITY)).toBe(`x ${'word '.repeat(100)}`);
  });

  it('is broken between words, and goes on where its text began', () => {
    expect(fitLines('  ! Codex will not run it yet: eleven hooks', 24)).toBe('  ! Codex will not run\n    it yet: eleven hooks');
    expect(fitLines('files      one/settings.json; in a project two.json', 30)).toBe(
      'files      one/settings.json;\n           in a project\n           two.json',
    );
    expect(fitLines('      fix: start codex, and trust them there', 26)).toBe('      fix: start codex,\n      and trust them there');
    expect(fitLines(`  ${painter(true)('green', '✓')} one two three`, 12)).toBe(`  ${painter(true)('green', '✓')} one two\n    three`);
  });

  it('keeps every command whole, on a line of its own', () => {
    expect(fitLines('Show one: piton events show <id>. Go back to one: piton rewind <id>', 40)).toBe(
      'Show one: piton events show <id>\nGo back to one: piton rewind <id>',
    );
    expect(fitLines('fix: name one: node /a/dist/cli.mjs init --agent claude. Or try: npx piton demo', 30)).toBe(
      'fix: name one:\nnode /a/dist/cli.mjs init --agent claude\nOr try: npx piton demo',
    );
    expect(fitLines("  project:x: review it: ~/b/piton trust 'project:pre-tool-use/1 x'", 30)).toBe(
      "  project:x: review it:\n  ~/b/piton trust 'project:pre-tool-use/1 x'",
    );
    expect(fitLines('Next: \u001b[1mpiton status --all\u001b[22m', 20)).toBe('Next:\n\u001b[1mpiton status --all\u001b[22m');
  });

  it.each([
    'mkdir -p ~/.local/bin && ln -s ~/.local/state/piton/runtime/current/piton ~/.local/bin/piton',
    'export PATH=/home/a/.local/bin:"$PATH"',
    "chmod +x '/a b/.piton/hooks/pre-tool-use/10-guard'",
    'chmod 700 /run/user/1000/piton/env/0123456789abcdef',
    "rm '/a b/.local/state/piton/env/lock that is none'",
  ])('keeps a command whole that is not ours: %s', (command) => {
    expect(fitLines(`  ${command}`, 30)).toBe(`  ${command}`);
    expect(fitLines(`look first, then: ${command}`, 30)).toBe(`look first, then:\n${command}`);
  });

  it('breaks prose that begins with the name of a program', () =>
    expect(fitLines('rm and export are no commands here, and ln is none', 30)).toBe('rm and export are no commands\nhere, and ln is none'));

  it('keeps a command in backticks in one piece', () =>
    expect(fitLines('For checkpoints, run `piton init --git` in a repository.', 30)).toBe(
      'For checkpoints, run\n`piton init --git` in a\nrepository.',
    ));

  it('is never wider than the terminal, loses no word and breaks none', () => {
    const word = fc.stringMatching(/^[a-z/.,-]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 40, max: 200 }),
        (words, by, width) => {
          const lines = fitLines(' '.repeat(by) + words.join(' '), width).split('\n');
          expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
          expect(lines.flatMap((line) => line.trim().split(' '))).toEqual(words);
        },
      ),
    );
  });

  it('may have a megabyte', () => {
    for (const unit of ['x', 'word ', 'piton ', ': piton a', '` ', 'é'])
      expect(fitLines(unit.repeat(1_000_000 / unit.length), 80).length).toBeGreaterThanOrEqual(999_990);
  });
});
