// What npm runs around `npm pack -w <package>` and `npm publish --dry-run -w <package>`. npm packs the folder of a workspace, whose
// manifest names sources. So what is published lies there while npm packs, and is taken away behind it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../sources.mjs';
import { emptyFolder } from './staging.mjs';

const MANIFEST = 'package.json';
const ADDED = 'added.json';
/** By the folder of the workspace: what puts the published package together. */
const STAGES = {
  'apps/cli': async (stage) => (await import('./cli.mjs')).stageCli(stage),
  'packages/contracts': async (stage) => (await import('./contracts.mjs')).stageContracts(stage),
  'packages/hooks': async (stage) => (await import('./hooks.mjs')).stageHooks(stage),
};

/** What is needed to take it away again: whole or absent. It outlives an npm that was killed. */
const keptFor = (workspace) => join(ROOT, 'dist', 'packages', `.${basename(workspace)}`);

async function putPublished(workspace) {
  takeAway(workspace);
  const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (built.status !== 0) throw new Error('the build failed');
  const [folder, stage, kept] = [join(ROOT, workspace), join(ROOT, 'dist', 'packages', basename(workspace)), keptFor(workspace)];
  await STAGES[workspace](stage);
  const names = readdirSync(stage);
  const aside = emptyFolder(`${kept}.new`);
  cpSync(join(folder, MANIFEST), join(aside, MANIFEST));
  writeFileSync(join(aside, ADDED), JSON.stringify(names.filter((name) => !existsSync(join(folder, name)))));
  renameSync(aside, kept);
  // README and schemas are there already, as they are published.
  for (const name of [...addedIn(kept), MANIFEST]) cpSync(join(stage, name), join(folder, name), { recursive: true });
}

const addedIn = (kept) => JSON.parse(readFileSync(join(kept, ADDED), 'utf8'));

function takeAway(workspace) {
  const [folder, kept] = [join(ROOT, workspace), keptFor(workspace)];
  if (!existsSync(kept)) return;
  for (const name of addedIn(kept)) rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(join(kept, MANIFEST), join(folder, MANIFEST));
  rmSync(kept, { recursive: true });
}

const STALE_MS = 5 * 60_000;

/** What an npm that was killed left: the manifest there has no scripts, so that npm would not do it. A living one takes seconds. */
export function takeAwayStale() {
  for (const workspace of Object.keys(STAGES)) {
    const stat = statSync(keptFor(workspace), { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS) takeAway(workspace);
  }
}

const SCRIPTS = {
  prepublishOnly() {
    // Without scripts npm refuses by itself: the manifest demands provenance, which only a workflow can give.
    if (process.env.npm_config_dry_run === 'true') return;
    throw new Error('a version is published by the workflow of its tag, from what it built there (CONTRIBUTING.md). Here: --dry-run');
  },
  prepack: putPublished,
  postpack: takeAway,
};

async function main() {
  const workspace = relative(ROOT, process.cwd()).split(sep).join('/');
  const script = SCRIPTS[process.env.npm_lifecycle_event ?? ''];
  if (STAGES[workspace] === undefined || script === undefined) throw new Error('npm runs this, in the folder of a published package');
  mkdirSync(join(ROOT, 'dist', 'packages'), { recursive: true });
  await script(workspace);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
