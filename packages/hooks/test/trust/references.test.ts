import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trustable } from '../../src/index.ts';
import { parseSettings, put, temporary } from '../scenery.ts';

/** The folder of the script itself, as a shell writes it. */
const OWN = ['$', '{0%/*}'].join('');

/** A project with files that a hook may use, and one hook of several files. */
function referencesOf(files: Readonly<Record<string, string>>): string[] {
  const base = temporary();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  for (const path of ['scripts/check.sh', 'lib/common', 'tools/run', 'tools/gate.py', 'src/rules.mjs', 'src/index.ts', 'package.json'])
    put(join(project, path), ':');
  const hooks = join(project, '.piton/hooks/pre-tool-use');
  for (const [path, text] of Object.entries(files)) put(join(hooks, path), text.replaceAll('<root>', project), 0o755);
  const [hook] = trustable({ trustDir: join(base, 'trust'), parseSettings }, project);
  return (hook?.notPinned ?? []).map(({ name, file, line, why }) => `${file}:${line} ${why} ${name.replace(project, '<root>')}`);
}
const ofScript = (text: string): string[] => referencesOf({ guard: text }).map((each) => each.replace('guard:', ''));
const ofModule = (text: string, more: Readonly<Record<string, string>> = {}): string[] => referencesOf({ ...more, 'guard.mjs': text });

describe('what a hook uses that is not in its copy', () => {
  it.each([
    ['a script by its path', '#!/bin/sh\nscripts/check.sh --fast\n', ['2 file scripts/check.sh']],
    ['a script by ./', '#!/bin/sh\nif ./scripts/check.sh; then :; fi\n', ['2 file scripts/check.sh']],
    ['a script of an interpreter', '#!/bin/sh\nexec python3 -u "tools/gate.py"\n', ['2 file tools/gate.py']],
    ['a sourced file', '#!/bin/sh\n. ./lib/common\n', ['2 file lib/common']],
    ['a file sourced by `source`', '#!/bin/bash\nsource lib/common\n', ['2 file lib/common']],
    ['a file below the agent’s variable', '#!/bin/sh\n"$CLAUDE_PROJECT_DIR"/scripts/check.sh\n', ['2 file scripts/check.sh']],
    ['a file below the top of the repository', '#!/bin/sh\n"$(git rev-parse --show-toplevel)/tools/run"\n', ['2 file tools/run']],
    ['a file below a variable of its own', '#!/bin/sh\nT=x\n. "$T/lib/common"\n', ['3 file lib/common']],
    ['an absolute path into the project', '#!/bin/sh\n<root>/scripts/check.sh\n', ['2 file scripts/check.sh']],
    [
      'the repository’s own file of the hook',
      '#!/bin/sh\nsh .piton/hooks/pre-tool-use/guard\n',
      ['2 file .piton/hooks/pre-tool-use/guard'],
    ],
    ['a Python module of the project', '#!/bin/sh\npython3 -m tools.gate --all\n', ['2 file tools/gate.py']],
    ['a name that only the run knows', '#!/bin/sh\n. "$RULES"\n', ['2 computed . "$RULES"']],
    ['a parent of its own folder', '#!/bin/sh\n. "$(dirname "$0")/../lib/common"\n', ['2 missing ../lib/common']],
    ['an npm script', '#!/bin/sh\nnpm run lint && npx eslint .\n', ['2 project-command npm run lint', '2 project-command npx eslint']],
    ['make', '#!/bin/sh\ncd x && make check\n', ['2 project-command make check']],
    ['an interpreter of the project', '#!<root>/tools/run\n', ['1 interpreter tools/run']],
    ['an interpreter that depends on the directory', '#!./tools/none -x\n', ['1 interpreter tools/none']],
    ['an interpreter through env', '#!/usr/bin/env -S ./tools/run --flag\n', ['1 interpreter tools/run']],
    [
      'a script that a script of Python starts',
      '#!/usr/bin/env python3\nimport os\nos.system("scripts/check.sh")\n',
      ['3 file scripts/check.sh'],
    ],
  ])('%s', (_, text, expected) => expect(ofScript(text)).toEqual(expected));

  it.each([
    ['its own parts', `#!/bin/sh\n. "$(dirname "$0")/lib/reason"\n. "${OWN}/lib/reason"\nD=$(dirname "$0")\n. "$D/lib/reason"\n`],
    ['programs of the machine', '#!/usr/bin/env bash\n# npm run lint\njq -r .tool_input.command | grep -q "rm -rf" && /usr/bin/true\n'],
    ['files that are not there', '#!/bin/sh\nscripts/none.sh\n'],
  ])('but not %s', (_, text) => expect(referencesOf({ guard: text, 'lib/reason': 'x' })).toEqual([]));

  it('modules that are imported from outside, packages, and computed ones', () => {
    const text = `import { a } from './word.mjs';
import './lib/more';
import fs from 'node:fs';
import { b } from "fs/promises";
// import nothing from 'commented';
export { c } from '../../../src/rules.mjs';
import chalk from 'chalk';
const d = require('@scope/x/y');
const e = await import(process.env.X);
const f = await import('<root>/src/index.ts');
`;
    expect(ofModule(text, { 'word.mjs': '', 'lib/more.js': '' })).toEqual([
      'guard.mjs:6 missing ../../../src/rules.mjs',
      'guard.mjs:7 package chalk',
      'guard.mjs:8 package @scope/x/y',
      'guard.mjs:9 computed import(process.env.X…',
      'guard.mjs:10 file src/index.ts',
    ]);
  });

  it('in any file of the copy, also one that only a script of it runs', () => {
    expect(referencesOf({ guard: `#!/bin/sh\nsh "${OWN}/lib/run"\n`, 'lib/run': 'scripts/check.sh\n' })).toEqual([
      'lib/run:1 file scripts/check.sh',
    ]);
  });

  it('is searched within bounds, whatever a file holds, and says where it gave up', () => {
    const long = 'x'.repeat(9000);
    expect(ofScript(`#!/bin/sh\n./${long}/${long} \0./a\0b "${'../'.repeat(4000)}etc/passwd"\n`)).toEqual([]);
    for (const part of [';a=', '|a=b ', '. $', '$(', 'import(`', "from '", 'python -m ', '$PWD:-', 'a/', '"', '; . \t'])
      expect(ofScript(`#!/bin/sh\n${part.repeat(200_000 / part.length)}\n`).length).toBeLessThan(10);
    expect(ofScript(`#!/bin/sh\n${'a.b '.repeat(300 * 1024)}\n`)).toEqual(['1 unread guard']);
    expect(ofScript(`#!/bin/sh\n${Array.from({ length: 5000 }, (_, at) => `./w${at}`).join('\n')}\n`)).toEqual(['4001 unread more words']);
  });
});
