import { expect, it } from 'vitest';
import { structurePage } from '../structure-page.mjs';

const WORKSPACE = {
  files: {
    'packages/contracts/src/index.ts': "export const one = 1;\nexport * from './deep/b.ts';\n",
    'packages/contracts/src/deep/b.ts': `export interface Two {}\n${'// more\n'.repeat(259)}`,
    'packages/store/src/a.ts': "import { one } from '@piton/contracts';\nimport type { Two } from '@piton/contracts/deep';\n",
    'packages/store/test/a.test.ts': "import '@piton/contracts';\n",
  },
  manifests: {
    '.': { name: 'workspace' },
    'packages/store': { name: '@piton/store', exports: {} },
    'packages/contracts': { name: '@piton/contracts', exports: { '.': './src/index.ts' } },
  },
};
const WALK =
  '## The walk of one event\n1. `packages/store/src/a.ts`: a\n2. `packages/contracts/src/index.ts`: b\n3. `packages/contracts/src/deep/b.ts`: c\n';

it('draws packages, edges, large files, full folders and walks, without tests', () => {
  const page = structurePage(WORKSPACE, WALK, () => true);
  expect(page).toContain('  store -- 2+ --> contracts\n');
  expect(page).toContain('| `packages/contracts` | 2+ | 200+ | 2+ | 0 | 1 |\n| `packages/store` | 1+ | 2+ | 0 | 1 | 0 |');
  expect(page).toContain('## Files of 250 lines or more\n\n- `packages/contracts/src/deep/b.ts`\n\n');
  expect(page).toContain('| The walk of one event | 3 | 1 |');
  expect(page).not.toContain('test.ts');
});

const pageWith = (path, text) =>
  structurePage({ ...WORKSPACE, files: { ...WORKSPACE.files, [path]: (WORKSPACE.files[path] ?? '') + text } }, WALK, () => true);

it('changes with a new edge, a folder that fills up and a walk, and not with one import, file or line more', () => {
  const page = structurePage(WORKSPACE, WALK, () => true);
  expect(pageWith('packages/store/src/a.ts', "import '@piton/contracts';\n")).toBe(page);
  expect(pageWith('packages/contracts/src/deep/b.ts', '// one\n')).toBe(page);
  expect(pageWith('packages/contracts/src/c.ts', '// one\n')).toBe(page);
  expect(pageWith('packages/contracts/src/index.ts', "import '@piton/store';\n")).not.toBe(page);
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`packages/store/src/full/${at}.ts`, '']));
  const full = structurePage({ ...WORKSPACE, files: { ...WORKSPACE.files, ...files } }, WALK, () => true);
  expect(full).toContain('## Folders of 20 files or more\n\n- `packages/store/src/full`\n');
});
