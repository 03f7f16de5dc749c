// Builds the page of `piton ui` with Vite, prints what its first paint loads, and refuses one that is too large.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from './sources.mjs';

/** What a browser loads before anything is painted, compressed. */
export const MAX_FIRST_PAINT = 100_000;

/** The HTML, and the scripts and styles that it cannot do without: the entry with all that it imports statically. */
export function firstPaint(files) {
  const byName = new Map(files.map((file) => [file.fileName, file]));
  const entry = files.find((file) => file.type === 'chunk' && file.isEntry);
  const needed = new Set(files.filter(({ fileName }) => fileName.endsWith('.html')).map(({ fileName }) => fileName));
  const visit = (name) => {
    const chunk = byName.get(name);
    if (needed.has(name) || chunk === undefined) return;
    needed.add(name);
    for (const each of chunk.imports ?? []) visit(each);
    for (const each of chunk.viteMetadata?.importedCss ?? []) visit(each);
  };
  if (entry) visit(entry.fileName);
  return [...needed];
}

/** Returns one line of sizes; throws if the first paint is too large. */
export async function buildPage(outDir) {
  const { output } = await build({
    root: join(ROOT, 'apps', 'dashboard'),
    configFile: false,
    logLevel: 'warn',
    // The page is served below no other path, and nothing is ever inlined: the content security policy refuses `data:` scripts.
    base: '/',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  const sizeOf = (name) => gzipSync(readFileSync(join(outDir, name))).length;
  const total = (names) => names.reduce((sum, name) => sum + sizeOf(name), 0);
  const first = total(firstPaint(output));
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  const line = `first paint ${kilobytes(first)} compressed, all of it ${kilobytes(total(output.map(({ fileName }) => fileName)))}`;
  if (first > MAX_FIRST_PAINT) throw new Error(`the page is too large: ${line}; the limit is ${kilobytes(MAX_FIRST_PAINT)}`);
  return line;
}
