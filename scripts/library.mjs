// The hooks library as it is shipped: each artifact is a self-contained folder.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './sources.mjs';

const LIBRARY = join(ROOT, 'hooks-library');

export const libraryNames = () => readdirSync(LIBRARY).filter((name) => existsSync(join(LIBRARY, name, 'ARTIFACT.md')));

/** Files beside a TypeScript module are copied. Links are replaced by their targets. */
export async function writeLibrary(to) {
  for (const name of libraryNames()) {
    const [source, target] = [join(LIBRARY, name), join(to, name)];
    cpSync(source, target, {
      recursive: true,
      dereference: true,
      filter: (path) => !path.endsWith('.ts') && !(basename(path) === 'rules' && statSync(path).isDirectory()),
    });
    for (const script of existsSync(join(target, 'scripts')) ? readdirSync(join(target, 'scripts')) : [])
      chmodSync(join(target, 'scripts', script), 0o755);
    if (existsSync(join(source, 'guard.ts'))) await bundleModule(join(source, 'guard.ts'), join(target, 'guard.mjs'));
  }
}

/** Readable, since people review what guards them. */
async function bundleModule(from, to) {
  mkdirSync(join(to, '..'), { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [from],
    outfile: to,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // Markers in private-use characters differ only by their code points, so escape them.
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
