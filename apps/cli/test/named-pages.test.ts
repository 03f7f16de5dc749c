import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const below = (folder: string, end: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(ROOT, folder, name));
/** What `pattern` names in these files and does not exist. */
const missing = (files: readonly string[], pattern: RegExp, from: (file: string) => string): string[] =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)]
      .filter(([, named = '']) => !existsSync(join(from(file), named)))
      .map(([, named]) => `${relative(ROOT, file)}: ${named}`),
  );

it('every page that the documentation links to is there', () => {
  const pages = [join(ROOT, 'README.md'), ...below('docs', '.md')];
  expect(missing(pages, /\]\((?!https?:)([\w./-]+\.md)(?:#[^)]*)?\)/g, dirname)).toEqual([]);
});

it('every page that the command names is there', () => {
  const sources = [...below('apps/cli/src', '.ts'), ...below('apps/server/src', '.ts'), ...below('packages/artifacts/src', '.ts')];
  expect(missing(sources, /\b(docs\/[\w-]+\.md)\b/g, () => ROOT)).toEqual([]);
});
