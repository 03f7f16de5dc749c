import { describe, expect, test } from 'vitest';
import { createBuiltInGuard, decisionOn } from '../../src/built-in-guard/guard.ts';
import { DISK, PLACES, shell } from './grounds.ts';

const guard = createBuiltInGuard(PLACES, DISK);
const many = (count: number, of: (at: number) => string): string => Array.from({ length: count }, (_, at) => of(at)).join(' ');
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : `bash -c ${JSON.stringify(nested(depth - 1, inner)).replaceAll('$', '\\$')}`;

/** The name is nowhere in the text as it is. */
const HIDDEN = 'A=.pi; B=ton; rm -rf "$A$B"';

describe('what is too much to be read is never let pass', () => {
  test.each<[string, string]>([
    ['70 decoys before the name', `for f in ${many(70, (at) => `d${at}`)} .pi; do rm -rf "$f"ton; done`],
    ['70 values of an array', `a=(${many(70, (at) => `d${at}`)} .pi'ton'); rm -rf "\${a[@]}"`],
    ['300 paths through a pipe', `printf '%s\\n' ${many(300, (at) => `d${at}`)} .pi'ton' | xargs rm -rf`],
    ['3000 paths through a pipe', `echo ${many(3000, (at) => `d${at}`)} .pi'ton' | xargs rm -rf`],
    ['70 arguments before a link', `rm -rf ${many(70, (at) => `d${at}`)} linked/x`],
    ['700 arguments before a link', `rm -rf ${many(700, (at) => `d${at}`)} linked/x`],
    ...[2, 5, 8, 9, 10, 12].map((depth): [string, string] => [`bash -c, ${depth} deep`, nested(depth, HIDDEN)]),
    ['600 KB before it', `: ${'x'.repeat(600_000)}; ${HIDDEN}`],
    ['600 KB of words before it', `: ${'x '.repeat(300_000)}; ${HIDDEN}`],
    ['3 MB before it', `: ${'x'.repeat(3_000_000)}; ${HIDDEN}`],
    ['a script of 100 KB', `bash <<'END'\n: ${'x'.repeat(100_000)}\n${HIDDEN}\nEND`],
    ['variables that hold each other', `X=aaaaaaaa;${'X=$X$X;'.repeat(30)}rm $X; ${HIDDEN}`],
    ['a function that calls itself', `f() { f; ${HIDDEN}; }; f`],
  ])('%s', (_, command) => {
    expect(guard(shell(command))).toBeDefined();
  });

  test('where nothing in it is known, a person is asked, also where the guard denies', () => {
    const found = guard(shell(nested(12, HIDDEN)));
    expect(found).toEqual({ kind: 'unread' });
    expect(decisionOn({ kind: 'unread' }, 'deny')).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('too long or too deeply nested'),
    });
  });
});

describe('what is merely long is left alone', () => {
  test.each<[string, string]>([
    ['a file of 300 KB', `cat > notes.md <<'END'\n${'some words\n'.repeat(30_000)}END`],
    ['700 files', `rm -f ${many(700, (at) => `build/d${at}.o`)}`],
    ['a loop over 500 files', `for f in ${many(500, (at) => `d${at}.ts`)}; do wc -l "$f"; cp "$f" "build/$f"; done`],
    ['two names of ten', `for f in ${many(40, (at) => `d${at}`)}; do mkdir -p "$f/$f/$f"; done`],
    ['bash -c, 5 deep', nested(5, 'npm test')],
    ['1000 paths through a pipe', `printf '%s\\n' ${many(1000, (at) => `d${at}`)} | xargs rm -f`],
  ])('%s', (_, command) => {
    expect(guard(shell(command))).toBeUndefined();
  });
});
