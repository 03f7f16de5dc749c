// The package @piton/cli: what the build makes, the forwarders of all released platforms, and no source.
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildReleased, RELEASED } from '../forwarder.mjs';
import { ROOT } from '../sources.mjs';
import { emptyFolder, finishStage, manifestOf } from './staging.mjs';

const DIST = join(ROOT, 'dist');
const BIN = join(ROOT, 'apps', 'cli', 'bin');
const FILES = ['cli.mjs', 'module-host.mjs', 'type-stripper.mjs', 'payloads.json', 'build-id'];
const FOLDERS = ['cli', 'bundles', 'plugins', 'hooks-library'];
/** Folders of builds that have them. */
const OPTIONAL_FOLDERS = ['page'];
/** Modules for a browser, beside programs that are none. */
const PAGE_MANIFEST = join('page', 'package.json');
/** From 22.13 on Node has an SQLite of its own, and this one is not loaded. Its build for the platform comes with it. */
const SQLITE = '@photostructure/sqlite';

const FORWARDER = 'piton-forward';

/** By the platform, built by zig where they are not there yet. */
const releasedForwarders = () => {
  const programs = buildReleased(join(DIST, 'forwarder'));
  return Object.fromEntries(Object.keys(RELEASED).map((platform, at) => [platform, programs[at]]));
};

/** Puts the package together in `stage`, from a build that is up to date. */
export function stageCli(stage, forwarders = releasedForwarders()) {
  emptyFolder(stage);
  const programs = readdirSync(DIST).filter((name) => name.endsWith('.cjs'));
  for (const name of [...programs, ...FILES]) copyFileSync(join(DIST, name), join(stage, name));
  const folders = [...FOLDERS, ...OPTIONAL_FOLDERS.filter((name) => existsSync(join(DIST, name)))];
  for (const name of folders) cpSync(join(DIST, name), join(stage, name), { recursive: true });
  if (folders.includes('page')) writeFileSync(join(stage, PAGE_MANIFEST), '{ "type": "module" }\n');
  copyFileSync(join(BIN, 'packaged.cjs'), join(stage, 'piton.cjs'));
  copyFileSync(join(BIN, 'load.cjs'), join(stage, 'load.cjs'));
  chmodSync(join(stage, 'piton.cjs'), 0o755);
  for (const [platform, program] of Object.entries(forwarders)) {
    mkdirSync(join(stage, 'forwarder', platform), { recursive: true });
    copyFileSync(program, join(stage, 'forwarder', platform, FORWARDER));
  }
  finishStage(stage, join('apps', 'cli'), {
    description:
      'One lifecycle layer under every AI coding agent: hooks that decide, a record of every call, and a way back from every turn.',
    keywords: ['hooks', 'agent', 'policy', 'checkpoints', 'claude-code', 'codex', 'gemini-cli', 'copilot', 'opencode'],
    type: 'commonjs',
    bin: { piton: 'piton.cjs' },
    optionalDependencies: { [SQLITE]: manifestOf(join('packages', 'store')).dependencies[SQLITE] },
    files: ['*.cjs', '*.mjs', 'payloads.json', 'build-id', 'forwarder/*/piton-forward', ...folders],
  });
  return stage;
}
