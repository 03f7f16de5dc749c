// Makes the npm package @piton/hooks: the library alone, with what it needs of the contracts bundled. `--out <directory>`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { filesBelow, ROOT } from './sources.mjs';
import { TOOLS } from './step.mjs';
import { settleUsage } from './usage.mjs';

const ROOM = join(ROOT, 'packages', 'hooks');
const ENTRY = 'library/index.ts';

/** @returns the path of the tarball */
export async function packHooks(out) {
  const staging = mkdtempSync(join(tmpdir(), 'piton-pack-'));
  try {
    await bundle(join(staging, 'dist'));
    types(join(staging, 'dist', 'index.d.ts'));
    copyFileSync(join(ROOM, 'README.md'), join(staging, 'README.md'));
    writeFileSync(join(staging, 'LICENSE'), terms());
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest())}\n`);
    mkdirSync(out, { recursive: true });
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(out)], staging));
    return join(resolve(out), filename.replace('@', '').replace('/', '-'));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The licence without its appendix, which explains how to apply it. */
const terms = () => readFileSync(join(ROOT, 'LICENSE'), 'utf8').replace(/(?<=END OF TERMS AND CONDITIONS\n).*/s, '');

const npm = (args, cwd) =>
  execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

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

/** The declarations of the entry and of everything it refers to, in one file. */
function types(out) {
  const made = mkdtempSync(join(tmpdir(), 'piton-types-'));
  try {
    const config = join(made, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: join(ROOT, 'packages'),
      outDir: join(made, 'out'),
      // Resolved as a source, not as a dependency: nothing is emitted for dependencies.
      paths: { '@piton/contracts': [join(ROOT, 'packages', 'contracts', 'src', 'index.ts')] },
      typeRoots: [join(ROOT, 'node_modules', '@types')],
    };
    const files = [join(ROOM, 'src', ENTRY)];
    writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }));
    execFileSync(process.execPath, [join(ROOT, TOOLS.tsc), '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    writeFileSync(out, rollUp(join(made, 'out'), join(made, 'out', 'hooks', 'src', ENTRY.replace(/\.ts$/, '.d.ts'))));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** One file with the declarations that the entry refers to, by name: `Decision` of the contracts is included, the frame protocol is not. */
function rollUp(directory, entry) {
  const declared = new Map();
  for (const file of filesBelow(directory)) {
    const text = readFileSync(file, 'utf8');
    const { program, comments } = parseSync(file, text);
    for (const statement of program.body) {
      const node = statement.declaration ?? statement;
      const name = node.id?.name ?? node.declarations?.[0].id.name;
      if (name === undefined) continue;
      const comment = comments.findLast(({ end }) => end <= statement.start && text.slice(end, statement.start).trim() === '');
      const known = declared.get(name) ?? { file, parts: [] };
      known.parts.push(`${comment ? `${text.slice(comment.start, comment.end)}\n` : ''}${text.slice(node.start, statement.end)}`);
      // The same name in two files is an error only if it is needed.
      declared.set(name, known.file === file ? known : { file: undefined, parts: [] });
    }
  }
  const exported = exportsOf(readFileSync(entry, 'utf8'));
  const chosen = new Set();
  const next = exported.map(({ name }) => name);
  for (let name = next.pop(); name; name = next.pop()) {
    if (chosen.has(name) || !declared.has(name)) continue;
    const { file, parts } = declared.get(name);
    if (file === undefined) throw new Error(`two files declare ${name}: rename one of them`);
    chosen.add(name);
    // Types and constants start with a capital here. Names in comments need no declaration.
    const bare = parts.join('\n').replace(/\/\*.*?\*\//gs, '');
    next.push(...(bare.match(/\b[A-Z]\w*\b/g) ?? []));
  }
  const missing = exported.filter(({ name }) => !chosen.has(name));
  if (missing.length > 0) throw new Error(`no declaration of ${missing.map(({ name }) => name).join(', ')}`);
  const names = exported.map(({ name, type }) => (type ? `type ${name}` : name)).join(', ');
  return `${[...chosen]
    .sort()
    .flatMap((name) => declared.get(name).parts)
    .join('\n')
    .replace(/^ +/gm, '')}\nexport { ${names} };\n`;
}

function exportsOf(text) {
  const { module } = parseSync('index.d.ts', text);
  return module.staticExports.flatMap(({ entries }) => entries.map(({ exportName, isType }) => ({ name: exportName.name, type: isType })));
}

function manifest() {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOM, 'package.json'), 'utf8'));
  return {
    name,
    version,
    description: 'A hook engine for agent loops: match, run, decide, trace. No dependencies.',
    keywords: ['hooks', 'agent', 'policy', 'claude-code'],
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  settleUsage('usage: npm run pack:hooks -- [--out <directory>]');
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
  console.log(await packHooks(values.out));
}
