import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommands } from '../../src/shell/simple-commands.ts';

const commands = (text: string): string[] => readCommands(text).commands.map(({ words }) => words.map((word) => word.text).join(' '));

describe('the commands of a shell text', () => {
  it.each([
    ['jq -r .a', ['jq -r .a']],
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a "b c" \'d;e\' f\\ g', ['a b c d;e f g']],
    ['X=1 Y="$(date -u)" a b', ['date -u', 'a b']],
    ['INPUT=$(cat)', ['cat']],
    ['a `b c`', ['b c', 'a ']],
    ['echo "now $(date "+%s") end"', ['date +%s', 'echo now  end']],
    ['a > out 2>&1 < in', ['a']],
    ['a &>/dev/null; b >>log', ['a', 'b']],
    ['cat <<EOF | jq .x\nrm -rf $(ls)\nEOF\nnext', ['cat', 'jq .x', 'next']],
    ["cat <<-'END'\n\tx\n\tEND\ny", ['cat', 'y']],
    ['a <<< "$b"; c', ['a', 'c']],
    ['# rm\na # b\nc#d', ['a', 'c#d']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for f in a b; do c "$f"; done', ['c $f']],
    ['while ! a; do b; done', ['a', 'b']],
    ['case "$x" in a|b) c ;; (d) e;; *) f; esac; g', ['c', 'e', 'f', 'g']],
    ['( a; b ) && { c; }', ['a', 'b', 'c']],
    ['[[ $a =~ (x|y) && $b ]] && c', ['c']],
    ['(( a > 2 )) && b', ['b']],
    [`a $${''}{b:-"c;d"} $((1 + 2)) e`, [`a $${''}{b:-"c;d"}  e`]],
    ['diff <(a b) <(c)', ['a b', 'c', 'diff  ']],
    ['a \\\n  b', ['a b']],
  ])('of %s', (text, expected) => {
    expect(commands(text)).toEqual(expected);
  });
  it('exclude functions that the text defines', () => {
    expect(readCommands('say() { echo "$1"; }\nsay hello').functions).toEqual(new Set(['say']));
  });
  it('have their lines', () => {
    const text = 'a\n# x\nb $(c\nd) \\\n e\n"f\ng" h\ncat <<E\n1\n2\nE\ni';
    expect(readCommands(text).commands.map(({ words, line }) => [words[0]?.text, line])).toEqual([
      ['a', 0],
      ['c', 2],
      ['d', 3],
      ['b', 2],
      ['f\ng', 5],
      ['cat', 7],
      ['i', 11],
    ]);
  });
  it('have a nesting limit', () => {
    expect(commands(`a; ${'$('.repeat(50_000)}`)).toContain('a');
  });
  it('are read to the end, whatever the text is', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '$(',
      ')',
      '$((',
      '))',
      '${',
      '}',
      '\\',
      '\n',
      '<<E',
      '[[',
      ';;',
      'case x in',
      'esac',
      'a',
      ' ',
      '|',
      '>',
      '#',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => Array.isArray(readCommands(pieces.join('')).commands)));
  });
});
