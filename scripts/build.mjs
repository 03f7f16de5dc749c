// Bundles the programs into dist/ and builds the forwarder. Does nothing if dist/ is up to date.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundle, REQUIRE_IN_ESM, WRAPPED } from './bundle.mjs';
import { hasCode, keepCode } from './compiled-code.mjs';
import { writeLibrary } from './library.mjs';
import { takeAwayStale } from './package/in-place.mjs';
import { buildPage } from './page.mjs';
import { payloadsText } from './payloads.mjs';
import { ROOT, sourceHash } from './sources.mjs';

/** A program that stays: the bundle, and a small program that runs it from compiled code. */
function resident(from, name, start) {
  const loader = "import { runResident } from '@piton/contracts/resident-program';";
  return [
    { from, to: `bundles/${name}.js`, format: 'cjs', packed: true, ...WRAPPED },
    { ...(start ? { from: start } : { text: `${loader} runResident(module, require, '${name}');` }), to: `${name}.cjs`, format: 'cjs' },
  ];
}

/**
 * The client starts while an agent waits: it is minified and gets no banner. The command is split: each subcommand loads what it
 * needs from `cli/`, so that short ones start fast.
 */
const PROGRAMS = [
  { from: 'apps/cli/src/main.ts', to: 'cli', split: true, format: 'esm' },
  { from: 'apps/cli/src/start.ts', to: 'cli.mjs', format: 'esm' },
  { from: 'apps/cli/src/compile.ts', to: 'compile.cjs', format: 'cjs' },
  ...resident('apps/server/src/main.ts', 'server', 'apps/server/src/start.ts'),
  ...resident('apps/server/src/record/recorder-worker.ts', 'recorder'),
  ...resident('apps/server/src/checkpoints/worker.ts', 'checkpointer'),
  ...resident('apps/server/src/subscriptions/runner-worker.ts', 'subscriber'),
  { from: 'apps/server/src/process/type-stripper.ts', to: 'type-stripper.mjs', format: 'esm', minify: true, banner: REQUIRE_IN_ESM },
  { from: 'apps/team/src/index.ts', to: 'team.cjs', format: 'cjs', minify: true },
  { from: 'apps/client/src/main.ts', to: 'client.cjs', format: 'cjs', minify: true },
  { from: 'apps/client/src/fallback.ts', to: 'fallback.cjs', format: 'cjs', minify: true },
];

/** One plugin per agent that loads plugins. Readable, since it runs inside somebody else's process. */
function pluginPrograms() {
  const agents = join('packages', 'agents', 'src');
  const ids = readdirSync(join(ROOT, agents)).filter((id) => existsSync(join(ROOT, agents, id, 'plugin.ts')));
  return ids.map((id) => ({
    text: `import { plugin } from './${agents}/${id}/plugin.ts';
      import { openPort } from './apps/client/src/plugin/port.ts';
      export const start = (host, place) => plugin(host, openPort(place));`,
    to: `plugins/${id}.mjs`,
    format: 'esm',
  }));
}

/** Plain JavaScript, and a program of its own: copied as it is. */
const HOST = 'packages/hooks/src/module/module-host.mjs';

const dist = join(ROOT, 'dist');
const stamp = join(dist, '.stamp');
/** Travels with the build: a command sees by it whether agents run the same one. */
const buildId = join(dist, 'build-id');

/** Chunks are named by their content: new ones are written before the program that imports them, old ones are removed after it. */
function moveChunks(from, to) {
  if (!existsSync(from)) return () => {};
  const names = new Set(readdirSync(from));
  mkdirSync(to, { recursive: true });
  for (const name of names) renameSync(join(from, name), join(to, name));
  return () => {
    for (const name of readdirSync(to)) if (!names.has(name)) rmSync(join(to, name));
  };
}

/** Fixtures are not part of the source hash: they are compared each time, and written if they differ. */
function writePayloads() {
  const file = join(dist, 'payloads.json');
  const text = payloadsText();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dist, { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

async function main() {
  writePayloads();
  takeAwayStale();
  const hash = sourceHash();
  const programs = [...PROGRAMS, ...pluginPrograms()];
  const made = [
    ...programs.map(({ to }) => join(dist, to)),
    join(dist, 'module-host.mjs'),
    buildId,
    join(dist, 'hooks-library'),
    join(dist, 'page', 'index.html'),
    join(dist, 'forwarder', 'piton-forward'),
  ];
  if (
    !process.argv.includes('--force') &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hash &&
    made.every((file) => existsSync(file))
  ) {
    console.log('build: up to date');
    if (!hasCode(dist)) await compile();
    return;
  }
  const started = Date.now();
  mkdirSync(dist, { recursive: true });
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'forwarder.mjs')], { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) throw new Error('the forwarder could not be built');
  // Written to a temporary file and renamed, so that half a bundle never runs.
  const aside = mkdtempSync(join(dist, '.build-'));
  try {
    const results = await Promise.allSettled(programs.map((program) => bundle(program, aside)));
    copyFileSync(join(ROOT, HOST), join(aside, 'module-host.mjs'));
    renameSync(join(aside, 'module-host.mjs'), join(dist, 'module-host.mjs'));
    const built = programs.filter((_, at) => results[at].status === 'fulfilled').map(({ to }) => to);
    await writeLibrary(join(aside, 'hooks-library'));
    rmSync(join(dist, 'hooks-library'), { recursive: true, force: true });
    renameSync(join(aside, 'hooks-library'), join(dist, 'hooks-library'));
    console.log(`build: page, ${await buildPage(join(aside, 'page'))}`);
    rmSync(join(dist, 'page'), { recursive: true, force: true });
    renameSync(join(aside, 'page'), join(dist, 'page'));
    for (const folder of ['plugins', 'bundles']) mkdirSync(join(dist, folder), { recursive: true });
    const removeStale = moveChunks(join(aside, 'cli'), join(dist, 'cli'));
    for (const name of built.filter((each) => each !== 'cli')) renameSync(join(aside, name), join(dist, name));
    removeStale();
    console.log(`build: ${built.join(', ')} (${Date.now() - started} ms)`);
    const broken = programs.filter(({ to }) => !built.includes(to)).map(({ to }) => to);
    if (broken.length > 0) throw new Error(`could not be built: ${broken.join(', ')}`);
    chmodSync(join(dist, 'cli.mjs'), 0o755);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  writeFileSync(buildId, `${hash.slice(0, 16)}\n`);
  writeFileSync(stamp, hash);
  rmSync(join(dist, 'code'), { recursive: true, force: true });
  await compile();
}

/** Nothing depends on it but how fast programs start: a build without it is whole. */
async function compile() {
  const started = Date.now();
  const isKept = await keepCode(dist).catch((error) => void console.log(`build: ${error.message}`));
  console.log(`build: ${isKept ? 'compiled code' : 'no compiled code: programs start more slowly'} (${Date.now() - started} ms)`);
}

main().catch((error) => {
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
});
