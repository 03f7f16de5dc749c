// The package @piton/contracts: the words of Piton as types and constants, and the JSON Schemas of all that it reads and writes.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../sources.mjs';
import { declarationsOf } from './declarations.mjs';
import { emptyFolder, finishStage, writeEntryForRequire } from './staging.mjs';

const ROOM = join(ROOT, 'packages', 'contracts');

/** Node's where its types are there; a project that only reads payloads needs none of them. */
const BUFFER = 'type Buffer = typeof globalThis extends { Buffer: { prototype: infer Known } } ? Known : Uint8Array;\n';

/** Puts the package together in `stage`. */
export async function stageContracts(stage) {
  const dist = join(emptyFolder(stage), 'dist');
  await build({
    absWorkingDir: ROOM,
    entryPoints: { index: join('src', 'index.ts') },
    outdir: dist,
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', legalComments: 'none', logLevel: 'warning' },
  });
  writeFileSync(
    join(dist, 'index.d.ts'),
    BUFFER + declarationsOf(join('contracts', 'src', 'index.ts')).replace(/\bBuffer<\w+>/g, 'Buffer'),
  );
  cpSync(join(ROOM, 'schemas'), join(stage, 'schemas'), { recursive: true });
  const { exported, older } = writeEntryForRequire(dist);
  finishStage(stage, join('packages', 'contracts'), {
    description: 'Events, decisions, payloads and frames of Piton: types, constants and JSON Schemas.',
    keywords: ['hooks', 'agent', 'json-schema', 'claude-code'],
    type: 'module',
    sideEffects: false,
    ...older,
    exports: { '.': exported, './schemas/*.json': './schemas/*.json', './package.json': './package.json' },
    files: ['dist', 'schemas'],
  });
  return stage;
}
