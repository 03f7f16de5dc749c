// One program of ours as one file, or as one folder of chunks.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { ROOT } from './sources.mjs';

export const REQUIRE_IN_ESM =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";
const URL_IN_CJS = "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;";

/** Node's wrapper of a CommonJS module: the file is one expression, which `compiled-code.ts` compiles. */
export const WRAPPED = { banner: `(function (exports, require, module, __filename, __dirname) { ${URL_IN_CJS}`, footer: '})' };

/** A quarter of a program is space, and V8 keeps it all while it runs. Names stay, and lines short enough for a stack trace to say where. */
const LINE_LIMIT = 200;

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * V8 keeps the source text of a program while it runs, and at two bytes per character if one of them is not ASCII. The bundler
 * escapes these in strings, but not in regular expressions and comments.
 */
function keepNarrow(file) {
  const wide = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, wide));
}

export async function bundle(program, outdir, plugins = []) {
  await build({
    absWorkingDir: ROOT,
    ...(program.text ? { stdin: { contents: program.text, resolveDir: ROOT } } : { entryPoints: [program.from] }),
    ...(program.split
      ? {
          outdir: join(outdir, program.to),
          splitting: true,
          entryNames: 'cli',
          chunkNames: '[name]-[hash]',
          outExtension: { '.js': '.mjs' },
        }
      : { outfile: join(outdir, program.to) }),
    bundle: true,
    plugins,
    platform: 'node',
    target: 'node20.19',
    format: program.format,
    minify: program.minify ?? false,
    ...(program.packed && { minifyWhitespace: true, lineLimit: LINE_LIMIT }),
    banner: program.banner ? { js: program.banner } : {},
    footer: program.footer ? { js: program.footer } : {},
    // jsonc-parser's UMD entry hides its requires from a bundler. Its ES module does not.
    mainFields: ['module', 'main'],
    // In CommonJS `import()` becomes `require`, so that a module is found in one way only, and only that half of it ships with
    // the runtime.
    supported: program.format === 'cjs' ? { 'dynamic-import': false } : {},
    // Native modules are found at run time, beside the runtime or in node_modules.
    external: ['@photostructure/sqlite', 'pg-native'],
    define: {
      PITON_VERSION: JSON.stringify(version),
      ...(program.format === 'cjs' && program.banner && { 'import.meta.url': '__importMetaUrl' }),
    },
    legalComments: 'none',
    logLevel: 'warning',
  });
  if (program.split) await asFunctions(join(outdir, program.to));
  else if (program.format === 'cjs') keepNarrow(join(outdir, program.to));
}

/** Only ES modules can be split, and only functions can be kept compiled: so each chunk becomes one. */
async function asFunctions(folder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { code } = await transform(readFileSync(file, 'utf8'), {
      ...{ platform: 'node', target: 'node20.19', format: 'cjs', supported: { 'dynamic-import': false } },
      ...{ define: { 'import.meta.url': '__importMetaUrl' }, banner: WRAPPED.banner, footer: WRAPPED.footer, logLevel: 'warning' },
    });
    rmSync(file);
    writeFileSync(file.replace(/\.mjs$/, '.js'), code);
    keepNarrow(file.replace(/\.mjs$/, '.js'));
  }
}
