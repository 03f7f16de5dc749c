import { describe, expect, it } from 'vitest';
import { fullFolders } from '../package-rules/folders.mjs';
import { cStarts, lostStarts, STARTS } from '../package-rules/program-starts.mjs';
import { RETIRED, retiredWords } from '../package-rules/retired-words.mjs';
import { readSource } from '../package-rules/syntax.mjs';
import { lostPaths, walksOf } from '../package-rules/walks.mjs';
import { checkPackages, isProductCode } from '../package-rules.mjs';

const check = (files, manifests = {}) => checkPackages(files, manifests, ['core.fsmonitor=false', 'gc.auto=0']);

describe('a package', () => {
  it('may import what its rule names, Node and its own dependencies', () => {
    const files = {
      'packages/store/src/a.ts':
        "import { x } from '@piton/contracts';\nimport type { y } from '@piton/redact';\nimport 'node:fs';\nimport './b.ts';\nimport 'lib/deep';",
      'packages/store/src/b.ts': '',
    };
    expect(check(files, { 'packages/store': { dependencies: { '@piton/contracts': '1', '@piton/redact': '1', lib: '1' } } })).toEqual([]);
  });

  it.each([
    [
      'a package above it',
      'packages/contracts/src/a.ts',
      "import { x } from '@piton/hooks';",
      'packages/contracts may not know @piton/hooks',
    ],
    [
      'a type of a package above it',
      'packages/hooks/src/a.ts',
      "\nimport type { x } from '@piton/store';",
      'packages/hooks may not know @piton/store',
    ],
    ['the command, from the server', 'apps/server/src/a.ts', "export * from '@piton/cli';", 'apps/server may not know @piton/cli'],
    [
      'the program of a team',
      'apps/cli/src/a.ts',
      "import { serveTeam } from '@piton/team';",
      'apps/cli may know of @piton/team its types only',
    ],
    ['the store, from the client', 'apps/client/src/a.ts', "await import('@piton/store');", 'apps/client may not know @piton/store'],
    ['the store by require', 'apps/client/src/a.ts', "require('@piton/store');", 'apps/client may not know @piton/store'],
    ['the store as an inline type', 'apps/client/src/a.ts', "type A = import('@piton/store').A;", 'apps/client may not know @piton/store'],
    [
      'another package by a path',
      'packages/hooks/src/a.ts',
      "import '../../store/src/b.ts';",
      'leaves packages/hooks by a path; import the package',
    ],
    ['an undeclared dependency', 'packages/hooks/src/a.ts', "import 'lodash/get';", 'lodash is no dependency of packages/hooks'],
    [
      'an undeclared scoped dependency',
      'packages/hooks/src/a.ts',
      "import '@scope/lib/deep';",
      '@scope/lib is no dependency of packages/hooks',
    ],
    ['files, from an agent', 'packages/agents/src/x/a.ts', "import 'node:fs';", 'packages/agents may not use node:fs'],
    [
      'processes, from an agent',
      'packages/agents/src/x/a.ts',
      "import 'node:child_process';",
      'packages/agents may not use node:child_process',
    ],
    ['processes, from the server', 'apps/server/src/a.ts', "import 'node:child_process';", 'apps/server may not use node:child_process'],
    ['the store, from the library', 'hooks-library/x/guard.ts', "import '@piton/store';", 'hooks-library may not know @piton/store'],
    [
      'processes, from the library',
      'hooks-library/x/guard.ts',
      "import 'node:child_process';",
      'starts programs: say where it has them from in scripts/package-rules/program-starts.mjs',
    ],
    [
      'one of ours that it does not declare',
      'packages/store/src/a.ts',
      "import '@piton/redact';",
      '@piton/redact is no dependency of packages/store',
    ],
    [
      'in a test, what it does not declare',
      'packages/store/test/a.test.ts',
      "import '@piton/testing';",
      '@piton/testing is no dependency of packages/store, not for development either',
    ],
    [
      'in a scenario, what the workspace does not declare',
      'scenarios/x/a.test.ts',
      "import '@piton/testing';",
      '@piton/testing is no dependency of the workspace, not for development either',
    ],
    ['another agent', 'packages/agents/src/x/a.ts', "import '../y/b.ts';", 'agent x knows agent y'],
    [
      'the list of agents, from an agent',
      'packages/agents/src/x/a.ts',
      "import '../index.ts';",
      'agent x imports from outside its folder and shared/',
    ],
    ['an agent, from what all share', 'packages/agents/src/shared/a.ts', "import '../x/b.ts';", 'agent shared knows agent x'],
  ])('may not import %s', (_, path, text, problem) => {
    expect(check({ [path]: text })).toEqual([`${path}:${text.startsWith('\n') ? 2 : 1} ${problem}`]);
  });

  it('lets agents use what they share', () => {
    expect(
      check({ 'packages/agents/src/x/a.ts': "import '../shared/b.ts';", 'packages/agents/src/index.ts': "import './x/a.ts';" }),
    ).toEqual([]);
  });
});

describe('what loads on the path of an agent', () => {
  it('stays free of zod through every import', () => {
    const files = {
      'packages/contracts/src/index.ts': "export * from './a.ts';",
      'packages/contracts/src/a.ts': "import './b.ts';",
      'packages/contracts/src/b.ts': "import * as z from 'zod/mini';",
      'packages/contracts/src/schemas.ts': "import * as z from 'zod';",
    };
    expect(check(files, { 'packages/contracts': { dependencies: { zod: '1' } } })).toEqual([
      'packages/contracts/src/b.ts brings zod/mini to packages/contracts/src/index.ts',
    ]);
  });
});

describe('only the command', () => {
  it.each(["console.log('x');", 'process.stdout.write("x");', 'process.stderr.write("x");', 'process.exit(1);', 'process.exitCode = 1;'])(
    'may say %s',
    (text) => {
      expect(check({ 'packages/store/src/a.ts': text })).toHaveLength(1);
      expect(check({ 'apps/server/src/a.ts': text })).toHaveLength(1);
      expect(check({ 'apps/cli/src/a.ts': text, 'apps/server/src/main.ts': text, 'apps/client/src/main.ts': text })).toEqual([]);
    },
  );
});

describe('outside the folder of an agent', () => {
  it.each([
    "switch (a) { case 'claude': break; }",
    "if (a === 'codex') b();",
    "const all = ['claude'];",
    'const help = `piton init --agent codex`;',
    "const page = 'https://example.com/codex/hooks';",
    'const codexHome = 1;',
    'import { claude as x } from "y"; '.replace('"y"', "'./y.ts'"),
  ])('no code names it: %s', (text) => {
    expect(check({ 'apps/server/src/a.ts': text, 'apps/server/src/y.ts': '' })).toHaveLength(1);
    expect(check({ 'packages/agents/src/claude/a.ts': text, 'packages/agents/src/claude/y.ts': '' })).toEqual([]);
  });

  it('an agent is known by its folder too', () => {
    const files = { 'packages/agents/src/brandnew/a.ts': '', 'apps/cli/src/a.ts': "if (a === 'brandnew') b();" };
    expect(check(files)).toEqual(['apps/cli/src/a.ts:1 names an agent, brandnew']);
  });

  it('a comment may, to say why, and a word that only holds the letters is none', () => {
    expect(check({ 'apps/cli/src/a.ts': "// Codex hashes it\nconst recline = 'pipe';" })).toEqual([]);
  });
});

it('a file that does not parse is a problem, not a pass', () => {
  expect(check({ 'apps/cli/src/a.ts': 'const = ;' })).not.toEqual([]);
});

describe('a manifest', () => {
  const files = { 'packages/store/src/a.ts': '', 'packages/store/test/a.test.ts': "import '@piton/testing';\nimport '@piton/store';" };

  it('declares for development what its tests import; its own name needs nothing', () => {
    expect(check(files, { 'packages/store': { name: '@piton/store', devDependencies: { '@piton/testing': '1' } } })).toEqual([]);
  });

  it('declares nothing of ours that product code does not import', () => {
    const manifest = { name: '@piton/store', dependencies: { '@piton/testing': '1' } };
    expect(check(files, { 'packages/store': manifest })).toEqual([
      'packages/store/package.json declares @piton/testing, which no product code of it imports',
    ]);
  });

  it('declares nothing of ours for development that no test imports', () => {
    const manifest = { name: '@piton/store', devDependencies: { '@piton/testing': '1', '@piton/redact': '1' } };
    expect(check(files, { 'packages/store': manifest })).toEqual([
      'packages/store/package.json declares @piton/redact for development, which no test of it imports',
    ]);
  });
});

describe('git', () => {
  const problems = (files) => check(files).filter((line) => !/bare name|a shell/.test(line));

  it.each([
    "spawn('git', ['status']);",
    "execFileSync('/usr/bin/git', []);",
    "child.execSync('git status');",
    `execSync(\`git add \${name}\`);`,
    "spawn('sh', ['-c', 'cd x && git status']);",
    'spawn(git, []);',
    "runCommand({ argv: ['git', 'status'] });",
  ])('is started by its own package only: %s', (text) => {
    expect(problems({ 'apps/cli/src/a.ts': text })).toEqual(['apps/cli/src/a.ts:1 starts git by itself: use @piton/git']);
    expect(problems({ 'packages/git/src/a.ts': text, 'packages/store/test/a.ts': text })).toEqual([]);
  });

  it.each(["spawn('gitk', []);", "walk(['git', 'commit']);", "spawn(program, ['git-hook']);", "spawn('sh', ['-c', 'legit x']);"])(
    'is not started by %s',
    (text) => {
      expect(problems({ 'apps/cli/src/a.ts': text })).toEqual([]);
    },
  );

  const ASKING = 'ask_git() {\n  command git -c core.fsmonitor=false \\\n    -c gc.auto=0 "$@"\n}\n';
  const WRAPPER =
    'git() (\n  export GIT_DIR="$a" GIT_COMMON_DIR="$b" GIT_WORK_TREE="$c" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null\n  ask_git "$@"\n)\n';
  const CLOSED = ASKING + WRAPPER;
  it.each([
    ['#!/bin/sh\nroot=$(git rev-parse)\n', 'starts git without functions ask_git and git that close its configuration'],
    [CLOSED.replace('-c gc.auto=0 ', ''), 'its function ask_git does not set gc.auto=0, as packages/git does'],
    [CLOSED.replace('GIT_COMMON_DIR="$b" ', ''), 'its function git does not set GIT_COMMON_DIR, as packages/git does'],
    [`${CLOSED}command git status\n`, 'starts git past its function git'],
    [`${CLOSED}ls | xargs git add\n`, 'starts git past its function git'],
    [`${CLOSED}ask_git status\n`, 'asks git for more than settings and places: ask_git status'],
  ])('is closed in a script of the library: %j', (text, problem) => {
    expect(check({ 'hooks-library/x/scripts/a.sh': text })).toEqual([`hooks-library/x/scripts/a.sh ${problem}`]);
  });

  it('may be called in a script through its function, and named in a comment', () => {
    expect(
      check({
        'hooks-library/x/scripts/a.sh': `# git status\n${CLOSED}if git diff; then git status; fi\n`,
        'hooks-library/y/scripts/b.sh': 'echo digit 1\n',
      }),
    ).toEqual([]);
  });

  it('is not started in the head of an artifact', () => {
    const head = (action) => `---\ndescription: git commit\nhook_action: ${action}\n---\ngit status\n`;
    expect(check({ 'hooks-library/x/ARTIFACT.md': head('git status') })).toEqual([
      'hooks-library/x/ARTIFACT.md starts git in its head: use a script',
    ]);
    expect(check({ 'hooks-library/x/ARTIFACT.md': head('scripts/a.sh') })).toEqual([]);
  });
});

describe('an exported name', () => {
  const manifests = {
    'packages/store': { exports: { '.': './src/index.ts' } },
    'packages/redact': { exports: { './deep': './src/deep.ts' } },
  };

  it('stands in one package only, also by way of another file', () => {
    const files = {
      'packages/store/src/index.ts': "export * from './a.ts';",
      'packages/store/src/a.ts': 'export interface Place {}\nexport const other = 1;',
      'packages/redact/src/deep.ts': 'export type { Place } from "./b.ts";'.replaceAll('"', "'"),
      'packages/redact/src/b.ts': 'export interface Place {}',
    };
    expect(check(files, manifests)).toEqual(['Place is exported by packages/store and packages/redact: rename one of them']);
  });

  it('may be handed on from the package that has it, and used inside of any', () => {
    const files = {
      'packages/store/src/index.ts': "export type { Place } from '@piton/redact';",
      'packages/store/src/a.ts': 'export interface Mine {}',
      'packages/redact/src/deep.ts': 'export interface Place {}',
      'packages/redact/src/b.ts': 'export interface Mine {}',
    };
    expect(
      check(files, { ...manifests, 'packages/store': { ...manifests['packages/store'], dependencies: { '@piton/redact': '1' } } }),
    ).toEqual([]);
  });
});

describe('a retired word', () => {
  const sourcesOf = (files) => Object.fromEntries(Object.entries(files).map(([path, text]) => [path, readSource(path, text)]));
  const words = (files, clean = ['packages/store'], allowed = []) => retiredWords(sourcesOf(files), clean, allowed);

  it.each(Object.keys(RETIRED))('%s is found in a declared or exported name and in a path, however it is spelled', (word) => {
    const Word = word.charAt(0).toUpperCase() + word.slice(1);
    const files = {
      'packages/store/src/a.ts': [
        ...[`export const ${word}All = 1;`, `export type Last${Word} = 1;`, `const ${word} = 1;`, `function ${word}It() {}`],
        ...[`interface ${Word} {}`, `const plain = 1;`, `export { plain as ${word}Plain };`, `const fine = (${word}) => ${word};`],
      ].join('\n'),
      [`packages/store/src/${word}-file.ts`]: '',
      [`packages/store/${word}/b.ts`]: '',
    };
    expect(words(files).map((problem) => problem.split(' uses')[0])).toEqual([
      `packages/store/src/a.ts:1 ${word}All`,
      `packages/store/src/a.ts:2 Last${Word}`,
      `packages/store/src/a.ts:7 ${word}Plain`,
      `packages/store/src/a.ts:3 ${word}`,
      `packages/store/src/a.ts:4 ${word}It`,
      `packages/store/src/a.ts:5 ${Word}`,
      `packages/store/src/${word}-file.ts`,
      `packages/store/${word}/b.ts`,
    ]);
  });

  it('is no part of another word, and no matter in a package that is not clean yet', () => {
    expect(words({ 'packages/store/src/layout.ts': 'export const essay = 1, storyteller = 2, understanding = 3;' })).toEqual([]);
    expect(words({ 'packages/other/src/desk.ts': 'export const tell = 1;' })).toEqual([]);
  });

  it('may be excepted by its exact name, as long as that is needed', () => {
    const files = { 'packages/store/src/desk.ts': 'export const tell = 1;' };
    expect(words(files, ['packages/store'], ['packages/store/src/desk.ts', 'tell'])).toEqual([]);
    expect(words({}, ['packages/store'], ['tell'])).toEqual(['tell needs no exception from the retired words']);
  });

  it('breaks the package rules', () => {
    expect(check({ 'apps/cli/src/a.ts': 'export const tell = 1;' })).toEqual([
      'apps/cli/src/a.ts:1 tell uses the word tell: print, report or notify',
    ]);
  });
});

describe('a folder', () => {
  const three = ['a/x.ts', 'a/y.ts', 'a/z.ts', 'a/b/x.ts'];

  it('has no more files of code than can be taken in', () => {
    expect(fullFolders(three, 2)).toEqual(['a has 3 files of code: sort them into folders, 2 at most']);
    expect(fullFolders(three, 3)).toEqual([]);
  });

  it('of tests may be as full as it likes', () => {
    expect(['packages/store/test/a.test.ts', 'scenarios/a.ts', 'packages/store/src/a.ts'].filter(isProductCode)).toEqual([
      'packages/store/src/a.ts',
    ]);
  });
});

describe('a walk', () => {
  const text =
    '## Packages\n| `apps/x` |\n## The walk of one event\n1. `apps/x/a.ts`: begins\n2. `packages/y/b.ts`: ends\n## Else\n1. `apps/z.ts`\n';

  it('is the list under a heading that says so', () => {
    expect(walksOf(text, () => true)).toEqual([{ title: 'The walk of one event', paths: ['apps/x/a.ts', 'packages/y/b.ts'] }]);
  });

  it('may name a file beside the one before, or below the folder that it says', () => {
    const there = ['apps/x/a.ts', 'apps/x/b.ts', 'apps/x/c.ts', 'packages/y/src/d/e.ts'];
    const short =
      '## The walk of it\nPaths are in `packages/y/src`.\n| `apps/x/a.ts`, `b.ts` | why |\n| `… c.ts` | why `z.ts` |\n| `d/e.ts` | why |\n| `gone.ts` | |\n';
    expect(walksOf(short, (path) => there.includes(path))[0].paths).toEqual([...there, 'packages/y/src/gone.ts']);
    expect(lostPaths(short, (path) => [...there, 'packages/y/src'].includes(path))).toEqual([
      'ARCHITECTURE.md names packages/y/src/gone.ts, which is not there',
    ]);
  });

  it('names only what is there; a pattern names nothing', () => {
    expect(lostPaths(`${text}\`packages/agents/src/<agent>/install.ts\``, (path) => path !== 'packages/y/b.ts')).toEqual([
      'ARCHITECTURE.md names packages/y/b.ts, which is not there',
    ]);
  });
});

describe('a program', () => {
  const known = Object.keys(STARTS)[0];
  const bare = (call) =>
    check({ [known]: `import { execFile, exec, spawn } from 'node:child_process';\n${call};` }).filter((line) => line.startsWith(known));

  it.each([
    "spawn('bwrap', [])",
    'execFile(`mkfifo`)',
    "runCommand({ argv: ['sh', '-c', x] })",
    "spawn(found ?? 'node')",
    "cp.spawnSync('ps')",
    "exec('ls')",
  ])('is not started by its bare name: %s', (call) => expect(bare(call)).toEqual([`${known}:2 starts a program by its bare name`]));

  it.each(["spawn('/bin/sh', [])", 'spawn(program, [])', "/a/.exec('text')", "spawn(found ?? '/bin/true')"])(
    'is started by its path: %s',
    (call) => {
      expect(bare(call)).toEqual([]);
    },
  );

  it('is no shell’s business', () => {
    expect(bare('exec(line)')).toEqual([`${known}:2 starts a shell: name a program`]);
  });

  it('is started in files that say where they have it from', () => {
    const files = { 'packages/hooks/src/new.ts': "import { spawn } from 'node:child_process';\nspawn(program);" };
    expect(check(files)).toEqual([
      'packages/hooks/src/new.ts:1 starts programs: say where it has them from in scripts/package-rules/program-starts.mjs',
    ]);
    expect(lostStarts(Object.keys(STARTS))).toEqual([]);
    expect(lostStarts([])).toEqual(Object.keys(STARTS));
  });

  it('is no database or pattern', () => {
    expect(check({ 'packages/store/src/a.ts': "exec('BEGIN');\npattern.exec('x');" })).toEqual([]);
  });

  it('is not started by its bare name in C, but for hooks', () => {
    const text = '/* execvp("x") */\n  execvp("node", argv);\n  execv("/bin/sh", argv);\n  execvp(exec->argv[0], exec->argv);\n';
    expect(cStarts('apps/forwarder/src/run.c', text)).toEqual([
      'apps/forwarder/src/run.c:2 starts a program by its bare name',
      'apps/forwarder/src/run.c:4 starts a program by its bare name',
    ]);
    expect(cStarts('apps/forwarder/src/child.c', text)).toEqual(['apps/forwarder/src/child.c:2 starts a program by its bare name']);
  });
});
