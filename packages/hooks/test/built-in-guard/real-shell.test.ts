import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { machineDisk } from '../../src/built-in-guard/disk.ts';
import { createBuiltInGuard } from '../../src/built-in-guard/guard.ts';
import { temporary } from '../scenery.ts';
import { PLACES, shell } from './grounds.ts';

/** Some ways to write the same name. */
const spelled = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 11 })).map(([at, how]) => {
  const [head, tail] = ['.piton'.slice(0, at), '.piton'.slice(at)];
  return [
    '.piton',
    `${head}'${tail}'`,
    `"${head}"${tail}`,
    `${head}\\${tail}`,
    `${head}*`,
    `./x/../${head}""${tail}`,
    `${head}?${tail.slice(1)}`,
    `\${NOT_SET:-${head}}${tail}`,
    `$(echo ${head}${tail})`,
    `{x,${head}${tail}}`,
    `$PWD/${head}${tail}`,
    `$'\\x2e'${'.piton'.slice(1)}`,
  ][how] as string;
});
const done = fc.constantFrom(
  (name: string) => `rm -rf ${name}`,
  (name: string) => `mv ${name} gone`,
  (name: string) => `find ${name} -delete`,
  (name: string) => `cd ${name} && rm -rf *`,
  (name: string) => `for f in ${name}; do rm -rf "$f"; done`,
  (name: string) => `echo ${name} | xargs rm -rf`,
  (name: string) => `D=${name}; rm -rf $D`,
  (name: string) => `echo x > ${name.startsWith('{') || name.includes('*') || name.includes('?') ? '.piton' : name}/settings.json`,
  (name: string) => `sed -i s/a/b/ ${name}/settings.json`,
  (name: string) => `a=(x ${name}); rm -rf "\${a[@]}"`,
  (name: string) => `a=(rm -rf); a+=(${name}); "\${a[@]}"`,
  (name: string) => `printf -v D %s ${name}; rm -rf "$D"`,
  (name: string) => `mapfile -t a < <(ls -d ${name}); rm -rf "\${a[@]}"`,
  (name: string) => `while read -r f; do rm -rf "$f"; done < <(echo ${name})`,
  (name: string) => `C="rm -rf ${name.replaceAll(/["'\\]/g, '')}"; $C`,
  (name: string) => `cat x/none <(rm -rf ${name})`,
  (name: string) => `echo rm -rf ${name} > s.sh; sh s.sh`,
  (name: string) => `ls ${name}`,
  (name: string) => `cat ${name}/settings.json`,
);
const around = fc.constantFrom(
  (line: string) => line,
  (line: string) => `true && ${line}`,
  (line: string) => `(${line})`,
  (line: string) => `if true; then ${line}; fi`,
  (line: string) => `bash -c '${line.replaceAll("'", "'\\''")}'`,
  (line: string) => `eval "${line.replaceAll(/["$\\`]/g, '\\$&')}"`,
  (line: string) => `bash <<'END'\n${line}\nEND`,
  (line: string) => `cat > s.sh <<'END'\n${line}\nEND\nbash s.sh`,
  (line: string) => `cat > s.sh <<'END'\n#!/bin/bash\n${line}\nEND\nchmod +x s.sh && ./s.sh`,
  (line: string) => `bash <(cat <<'END'\n${line}\nEND\n)`,
  (line: string) => `ls > /dev/null; ${line} # as asked`,
  (line: string) => `f() { ${line}; }; f`,
  (line: string) => `echo "$(${line})"`,
);

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`whatever a real shell makes of it: what changed our files had been seen before (seed ${seed})`, { timeout: 300_000 }, () => {
  const project = temporary();
  const guard = createBuiltInGuard(PLACES, machineDisk);
  const lay = (): void => {
    for (const name of ['.piton', 'gone', 'x']) rmSync(join(project, name), { recursive: true, force: true });
    mkdirSync(join(project, '.piton'));
    mkdirSync(join(project, 'x'));
    writeFileSync(join(project, '.piton', 'settings.json'), 'a\n');
  };
  const isWhole = (): boolean => {
    const file = join(project, '.piton', 'settings.json');
    return existsSync(file) && spawnSync('cat', [file], { encoding: 'utf8' }).stdout === 'a\n';
  };
  let changed = 0;
  fc.assert(
    fc.property(spelled, done, around, (name, act, wrap) => {
      const command = wrap(act(name));
      lay();
      const found = guard(shell(command, project));
      spawnSync('bash', ['-c', command], { cwd: project, env: { PATH: process.env.PATH, HOME: project } });
      if (isWhole()) return;
      changed += 1;
      expect(found, command).toMatchObject({ kind: 'place' });
    }),
    { numRuns: 400, seed },
  );
  // Else nothing was tried.
  expect(changed).toBeGreaterThan(50);
});

test('nothing makes it throw', () => {
  const guard = createBuiltInGuard(PLACES, machineDisk);
  const pieces = fc.constantFrom(
    ...[
      'rm',
      '.piton',
      ' ',
      '\n',
      '"',
      "'",
      '`',
      '$(',
      ')',
      '${',
      '}',
      '$',
      '\\',
      '|',
      '&&',
      ';',
      '<<',
      '<<<',
      '<',
      '>',
      '&',
      '(',
      '{',
      ',',
    ],
    ...[
      '*',
      '?',
      '[',
      ']',
      '~',
      '#',
      '=',
      ':',
      '/',
      '..',
      'EOF',
      'bash -c',
      'eval',
      'xargs',
      'find',
      'git',
      'X',
      '\0',
      '\u{1f9d7}',
      '\ud800',
    ],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (command) => {
        guard(shell(command, '/code'));
      },
    ),
    { numRuns: 3000 },
  );
});

/** Each of these keeps a reader busy that looks at the same letters again and again. */
const LONG: Readonly<Record<string, string>> = {
  quotes: `${'"'.repeat(200_000)}'`,
  'nested commands': '$('.repeat(100_000),
  'nested values': `${'${a:-'.repeat(40_000)}${'}'.repeat(40_000)}`,
  backticks: '`\\`'.repeat(60_000),
  'here-documents': `${'cat <<a; '.repeat(20_000)}\n`,
  'values that hold each other': `X=aaaaaaaa;${'X=$X$X;'.repeat(20_000)}rm $X`,
  braces: '{a,b}'.repeat(40_000),
  'open braces': '{,'.repeat(100_000),
  globs: `rm ${'*a'.repeat(100_000)}`,
  directories: `rm ${'a/'.repeat(100_000)}`,
  evals: `${'eval '.repeat(40_000)}rm x`,
  shells: "bash -c '".repeat(20_000),
  words: `rm ${'a '.repeat(100_000)}`,
  wrappers: `${'sudo '.repeat(40_000)}rm x`,
  'programs that may be any of several': `a=(time env nohup);${'$a '.repeat(2000)}rm x`,
  'lines that are read in loops': `${'read a;'.repeat(10_000)}${'done <<< b;'.repeat(10_000)}`,
  'scripts that run themselves': `echo '${'sh x;'.repeat(100)}' > x; sh x`,
  arrays: 'a=('.repeat(40_000),
  loops: `for f in ${'a '.repeat(10_000)}; do ${'rm $f;'.repeat(10_000)}`,
};
test.each(Object.entries(LONG))('a long command of %s is read in the time that its length takes', (_, command) => {
  const guard = createBuiltInGuard(PLACES, machineDisk);
  // What is too much to be read to its end is for a person to look at.
  expect([undefined, 'unread']).toContain(guard(shell(command))?.kind);
  expect(guard(shell(`rm .piton;${command}`))).toBeDefined();
});
