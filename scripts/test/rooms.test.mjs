import { describe, expect, it } from 'vitest';
import { checkRooms } from '../rooms.mjs';

const check = (files, dependencies = {}) => checkRooms(files, dependencies);

describe('a room', () => {
  it('may import what its rule names, Node and its own dependencies', () => {
    const files = {
      'packages/store/src/a.ts':
        "import { x } from '@piton/contracts';\nimport type { y } from '@piton/redact';\nimport 'node:fs';\nimport './b.ts';\nimport 'lib/deep';",
      'packages/store/src/b.ts': '',
    };
    expect(check(files, { 'packages/store': ['lib'] })).toEqual([]);
  });

  it.each([
    ['a room above it', 'packages/contracts/src/a.ts', "import { x } from '@piton/hooks';", 'packages/contracts may not know @piton/hooks'],
    [
      'a type of a room above it',
      'packages/hooks/src/a.ts',
      "\nimport type { x } from '@piton/store';",
      'packages/hooks may not know @piton/store',
    ],
    ['the command, from the server', 'apps/server/src/a.ts', "export * from '@piton/cli';", 'apps/server may not know @piton/cli'],
    ['the store, from the client', 'apps/client/src/a.ts', "await import('@piton/store');", 'apps/client may not know @piton/store'],
    ['the store by require', 'apps/client/src/a.ts', "require('@piton/store');", 'apps/client may not know @piton/store'],
    ['the store as an inline type', 'apps/client/src/a.ts', "type A = import('@piton/store').A;", 'apps/client may not know @piton/store'],
    [
      'another room by a path',
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
    ['another agent', 'packages/agents/src/x/a.ts', "import '../y/b.ts';", 'agent x knows agent y'],
    [
      'the list of agents, from an agent',
      'packages/agents/src/x/a.ts',
      "import '../index.ts';",
      'agent x imports from outside its folder and common/',
    ],
    ['an agent, from what all share', 'packages/agents/src/common/a.ts', "import '../x/b.ts';", 'agent common knows agent x'],
  ])('may not import %s', (_, path, text, problem) => {
    expect(check({ [path]: text })).toEqual([`${path}:${text.startsWith('\n') ? 2 : 1} ${problem}`]);
  });

  it('lets agents use what they share', () => {
    expect(
      check({ 'packages/agents/src/x/a.ts': "import '../common/b.ts';", 'packages/agents/src/index.ts': "import './x/a.ts';" }),
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
    expect(check(files, { 'packages/contracts': ['zod'] })).toEqual([
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
