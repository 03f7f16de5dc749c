// Loads one of our TypeScript modules into a script: Node 20 does not strip types.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from './sources.mjs';

/** `inPlace`: for a module that looks for files beside itself, as do those that it imports from its directory. */
export async function importTypeScript(path, { inPlace = false } = {}) {
  // Below node_modules, so that external modules are found.
  const directory = mkdtempSync(join(ROOT, 'node_modules', '.piton-'));
  const outfile = join(directory, 'module.mjs');
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: [path],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      mainFields: ['module', 'main'],
      external: ['@photostructure/sqlite', 'esbuild', 'node-pg-migrate', 'pg'],
      define: {
        PITON_VERSION: '"0.0.0"',
        ...(inPlace && { 'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, path)).href) }),
      },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
