import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { write } from '../hooks-test/setup.ts';
import { git, newHome, runScript } from './setup.ts';

describe('format-on-edit', () => {
  const formatter = '#!/bin/sh\nfor f; do :; done\nprintf "formatted\\n" > "$f"\n';

  it('runs the project’s formatter on the edited file alone, and notifies the model', () => {
    const home = newHome();
    write(join(home.work, 'biome.json'), '{}');
    write(join(home.work, 'node_modules', '.bin', 'biome'), formatter, 0o755);
    const [a, b] = ['a b.ts', 'c.ts'].map((name) => write(join(home.work, 'src', name), 'x\n')) as [string, string];
    const { code, stdout } = runScript(home, 'format-on-edit', 'format.sh', { PITON_TOOL_FILES: a });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${a} was formatted: read it again before you edit it.\n` });
    expect([readFileSync(a, 'utf8'), readFileSync(b, 'utf8')]).toEqual(['formatted\n', 'x\n']);
  });

  it('says nothing where none is configured, or where it fails', () => {
    const home = newHome();
    const file = write(join(home.work, 'a.ts'), 'x\n');
    write(join(home.work, 'node_modules', '.bin', 'biome'), formatter, 0o755);
    expect(runScript(home, 'format-on-edit', 'format.sh', { PITON_TOOL_FILES: file })).toEqual({ code: 0, stdout: '', stderr: '' });
    write(join(home.work, 'biome.json'), '{}');
    write(join(home.work, 'node_modules', '.bin', 'biome'), '#!/bin/sh\necho broken >&2\nexit 3\n', 0o755);
    expect(runScript(home, 'format-on-edit', 'format.sh', { PITON_TOOL_FILES: file })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('takes prettier by the key in package.json', () => {
    const home = newHome();
    write(join(home.work, 'package.json'), '{ "prettier": { "semi": false } }');
    write(join(home.work, 'node_modules', '.bin', 'prettier'), formatter, 0o755);
    const file = write(join(home.work, 'docs', 'a.md'), 'x\n');
    runScript(home, 'format-on-edit', 'format.sh', { PITON_TOOL_FILES: file });
    expect(readFileSync(file, 'utf8')).toBe('formatted\n');
  });
});

describe('run-tests-at-stop', () => {
  const run = (home: ReturnType<typeof newHome>) => runScript(home, 'run-tests-at-stop', 'run-tests.sh');

  it('lets the agent go on with the end of what failed', () => {
    const home = newHome();
    write(join(home.work, '.piton', 'test-command'), '# how we test\necho one two; exit 3\n');
    const { code, stderr } = run(home);
    expect(code).toBe(2);
    expect(stderr).toMatch(/exit code 3[\s\S]*one two/);
  });

  it('runs once for each state of the files', () => {
    const home = newHome();
    write(join(home.work, '.piton', 'test-command'), `echo ran >> ${join(home.root, 'runs')}; exit 1\n`);
    expect([run(home).code, run(home).code]).toEqual([2, 0]);
    write(join(home.work, 'new.txt'), 'x');
    expect(run(home).code).toBe(2);
    expect(readFileSync(join(home.root, 'runs'), 'utf8')).toBe('ran\nran\n');
  });

  it('runs nothing in a tree that nobody has touched', () => {
    const home = newHome();
    write(join(home.work, 'Makefile'), `test:\n\ttouch ${join(home.root, 'ran')}\n`);
    git(home, 'add', '-A');
    git(home, 'commit', '-q', '-m', 'Begin');
    expect(run(home).code).toBe(0);
    expect(existsSync(join(home.root, 'ran'))).toBe(false);
    write(join(home.work, 'new.txt'), 'x');
    run(home);
    expect(existsSync(join(home.root, 'ran'))).toBe(true);
  });

  it('finds the test script of package.json, but not the one that npm writes', () => {
    const home = newHome();
    write(join(home.work, 'package.json'), '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }');
    expect(run(home)).toEqual({ code: 0, stdout: '', stderr: '' });
    write(join(home.work, 'package.json'), '{ "scripts": { "test": "exit 7" } }');
    expect(run(home).code).toBe(2);
  });
});

describe('project-context', () => {
  it('prints branch, uncommitted files, last commits, open items and the project’s notes', () => {
    const home = newHome();
    write(join(home.work, 'TODO.md'), '- [ ] write docs\n- [x] write code\n');
    git(home, 'add', '-A');
    git(home, 'commit', '-q', '-m', 'Begin here');
    write(join(home.work, '.piton', 'context.md'), 'Use tabs.\n');
    const { code, stdout } = runScript(home, 'project-context', 'context.sh');
    expect(code).toBe(0);
    for (const text of ['Branch: main', '?? .piton/', 'Begin here', 'write docs', 'Use tabs.']) expect(stdout).toContain(text);
    expect(stdout).not.toContain('write code');
  });

  it('stays short, in whole lines', () => {
    const home = newHome();
    write(join(home.work, '.piton', 'context.md'), `${'ü'.repeat(80)}\n`.repeat(500));
    const { stdout } = runScript(home, 'project-context', 'context.sh');
    expect(Buffer.byteLength(stdout)).toBeLessThan(8 * 1024 * 2 + 200);
    expect(stdout).toMatch(/ü\n…\n$/);
  });
});

describe('notify', () => {
  it('hands names over as arguments, whatever is in them', () => {
    const home = newHome();
    const bin = join(home.root, 'bin');
    write(join(bin, 'notify-send'), '#!/bin/sh\nfor a; do printf "<%s>" "$a"; done > "$HOME/told"\n', 0o755);
    const hostile = join(home.root, '$(touch pwned) -x');
    runScript(home, 'notify-when-done', 'notify.sh', {
      PATH: `${bin}:${process.env.PATH}`,
      PITON_EVENT: 'stop',
      PITON_AGENT: 'some',
      PITON_REPO: hostile,
    });
    expect(readFileSync(join(home.root, 'told'), 'utf8')).toBe('<--app-name=Piton><--><some: $(touch pwned) -x><The agent has finished.>');
  });
});
