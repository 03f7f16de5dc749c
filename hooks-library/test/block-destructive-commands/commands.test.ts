import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../block-destructive-commands/judge.ts';

const WHERE = { cwd: '/code/app', home: '/home/sam', repo: '/code/app' };
const table = (name: string): [string, string[]][] =>
  Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Record<string, string[]>);
const denied = table('denied.json');
const allowed = table('allowed.json');
const ofKind = (command: string): string => {
  const finding = judgeCommand(command, WHERE);
  return finding === undefined ? 'nothing' : finding.ask ? 'ask' : 'deny';
};

describe.each(denied)('denied: %s', (_, commands) => {
  it.each(commands)('%j', (command) => {
    expect(ofKind(command)).toBe('deny');
  });
});

describe.each(allowed)('left alone: %s', (_, commands) => {
  it.each(commands)('%j', (command) => {
    expect(judgeCommand(command, WHERE)).toBeUndefined();
  });
});

describe('asked', () => {
  it.each([
    'cat list | xargs rm -rf',
    'rm -rf $(cat list)',
    'git ls-files -o | xargs rm -rf',
    `${'$('.repeat(60)}rm -rf /${')'.repeat(60)}`,
    `echo ${'x'.repeat(300_000)} rm`,
  ])('%.40j', (command) => {
    expect(ofKind(command)).toBe('ask');
  });
});

describe('where it runs', () => {
  it('counts without a repository as well', () => {
    const where = { cwd: '/data/notes', home: '/home/sam', repo: null };
    expect(judgeCommand('rm -rf *', where)?.what).toContain('the working directory');
    expect(judgeCommand('rm -rf ../', where)?.what).toContain('above');
    expect(judgeCommand('rm -rf drafts', where)).toBeUndefined();
  });

  it('counts below the root of a repository', () => {
    const where = { cwd: '/code/app/packages/a', home: '/home/sam', repo: '/code/app' };
    expect(judgeCommand('rm -rf dist ../b/dist', where)).toBeUndefined();
    expect(judgeCommand('cd /tmp/x; rm -rf /code/app', where)?.what).toContain('/code/app');
    expect(judgeCommand('rm -rf "$(git rev-parse --show-toplevel)"/*', where)?.what).toContain('/code/app');
  });
});

describe('the reason', () => {
  it('says what to do instead', () => {
    expect(judgeCommand('git push --force', WHERE)?.instead).toContain('--force-with-lease');
    expect(judgeCommand('git clean -fd', WHERE)?.instead).toContain('git clean -n');
    expect(judgeCommand('rm -rf ~', WHERE)?.what).toContain('/home/sam');
  });

  it('gives a no before a question', () => {
    expect(ofKind('cat list | xargs rm -rf; rm -rf /')).toBe('deny');
  });
});

describe('whatever it reads', () => {
  const pieces = [
    ...[
      ...' \n\t"\'`$(){}[]<>|&;\\#~*?!=,:-/',
      'rm',
      '-rf',
      '/',
      '~',
      'x',
      '$(',
      '${',
      '$((',
      '))',
      '<<EOF',
      'EOF\n',
      '<<<',
      '<(',
      'bash -c ',
      'eval ',
      'git ',
      'f(){',
      '}',
      'for x in ',
      'case x in ',
      "$'\\x",
      'X=',
      '$X',
      'alias a=',
      'xargs ',
      'find . -exec ',
      '\uE003',
      '\0',
      '\u{1F600}',
    ],
    ...denied.flatMap(([, commands]) => commands).slice(0, 40),
  ];
  const anyCommand = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 40 })
    .map((all) => all.join(''));

  it('never throws', () => {
    fc.assert(
      fc.property(anyCommand, (command) => {
        judgeCommand(command, WHERE);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds a plain one behind anything that has ended', () => {
    const ended = fc.constantFrom(
      'true',
      'echo "a b"',
      "printf '%s' x",
      'ls | wc -l',
      'X=1',
      'cat <<A\nx\nA\n:',
      '(cd x)',
      'f() { :; }',
      'if a; then b; fi',
      'echo $((1<<2))',
      'echo `date`',
      'case x in x) y;; esac',
      '[[ a < b ]]',
      ': # x\n:',
    );
    const joints = fc.constantFrom('; ', ' && ', ' || ', '\n', ' & ');
    fc.assert(
      fc.property(fc.array(fc.tuple(ended, joints), { maxLength: 8 }), (parts) => {
        expect(ofKind(`${parts.flat().join('')}rm -rf /`)).toBe('deny');
      }),
    );
  });

  it('finds one however it is quoted', () => {
    const quoted = (char: string): fc.Arbitrary<string> =>
      fc.constantFrom(char, `'${char}'`, `"${char}"`, `\\${char}`, `$'\\x${char.charCodeAt(0).toString(16)}'`, `${char}""`, `''${char}`);
    const word = (text: string): fc.Arbitrary<string> => fc.tuple(...[...text].map(quoted)).map((all) => all.join(''));
    fc.assert(
      fc.property(word('rm'), word('-rf'), word('/etc'), (...words) => {
        expect(ofKind(words.join(' '))).toBe('deny');
      }),
    );
  });

  it.each([
    ['open brackets', '$('],
    ['open quotes', '"'],
    ['backquotes', '`'],
    ['backslashes', '\\'],
    ['sums', '$(( '],
    ['braces', '{a,'],
    ['here-documents', '<<A\n'],
    ['words', 'x '],
    ['pipes', 'x|'],
    ['assignments', 'A=$A$A;'],
    ['variables', 'A=b;$A '],
    ['functions', 'f(){ f;f; };f;'],
    ['comments', '# \n'],
    ['shells', "bash -c '"],
    ['loops', 'for x in a b c;do '],
    ['brackets', '['],
  ])('comes to an end with very much of %s', (_, piece) => {
    // Work that grew with the square of the length would not end before the test is given up.
    expect(() => judgeCommand(piece.repeat(Math.ceil(250_000 / piece.length)), WHERE)).not.toThrow();
  });
});
