// The package @piton/hooks: the engine as a library, with what it needs of the contracts bundled.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../sources.mjs';
import { declarationsOf } from './declarations.mjs';
import { emptyFolder, finishStage, writeEntryForRequire } from './staging.mjs';

const ROOM = join(ROOT, 'packages', 'hooks');
const ENTRY = 'library/index.ts';

/** Puts the package together in `stage`. */
export async function stageHooks(stage) {
  const dist = join(emptyFolder(stage), 'dist');
  await bundle(dist);
  writeFileSync(join(dist, 'index.d.ts'), declarationsOf(join('hooks', 'src', ENTRY)));
  const { exported, older } = writeEntryForRequire(dist);
  finishStage(stage, join('packages', 'hooks'), {
    description: 'A hook engine for agent loops: match, run, decide, trace. No dependencies.',
    keywords: ['hooks', 'agent', 'policy', 'claude-code'],
    type: 'module',
    sideEffects: false,
    ...older,
    exports: { '.': exported },
    files: ['dist'],
  });
  return stage;
}

/** Importing the contracts has no side effects, so that unused parts are dropped. */
const contractsAreTables = {
  name: 'contracts are tables',
  setup(bundler) {
    const source = join(ROOT, 'packages', 'contracts', 'src');
    bundler.onResolve({ filter: /^@piton\/contracts$/ }, () => ({ path: join(source, 'index.ts'), sideEffects: false }));
    bundler.onResolve({ filter: /^\.\// }, ({ path, resolveDir }) =>
      resolveDir === source ? { path: join(source, path), sideEffects: false } : undefined,
    );
  },
};

/** What modules need is a separate chunk, loaded with the first module. */
async function bundle(outdir) {
  await build({
    absWorkingDir: ROOM,
    entryPoints: { index: join('src', ENTRY) },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: '[name]-[hash]',
    plugins: [contractsAreTables],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  await build({
    entryPoints: [join(ROOM, 'src', 'module', 'module-host.mjs')],
    outfile: join(outdir, 'module-host.mjs'),
    target: 'node20.19',
    minify: true,
    logLevel: 'warning',
  });
}
