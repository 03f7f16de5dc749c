import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { drift } from '../generated.mjs';
import { filesBelow } from '../sources.mjs';

const folder = mkdtempSync(join(tmpdir(), 'piton-sources-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a build is made of sources, not of tests, fixtures or what was built', () => {
  for (const name of ['src/deep', 'test', 'dist', 'node_modules/x', 'src/fixtures']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of [
    'src/a.ts',
    'src/deep/b.c',
    'test/a.test.ts',
    'dist/a.js',
    'node_modules/x/index.js',
    'src/fixtures/f.json',
    'package.json',
  ]) {
    writeFileSync(join(folder, name), '');
  }
  expect(filesBelow(folder).map((file) => relative(folder, file))).toEqual(['package.json', 'src/a.ts', 'src/deep/b.c']);
});

it('a generated file is stale when it differs, is missing, or is left over', () => {
  const fresh = { path: 'LICENSE', text: 'another text' };
  const missing = { path: 'docs/not-there.md', text: '' };
  expect(drift([fresh, missing], ['old.json'])).toEqual(['LICENSE', 'docs/not-there.md', 'old.json']);
});
