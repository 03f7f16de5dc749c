// Installs what judges packages into the cache: publint, arethetypeswrong. Outside the lockfile, since they bring a compiler of
// their own, and only releases and their tests need them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PINNED = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'package-checks');
const isThere = (modules) => ['.bin/publint', '.bin/attw'].every((name) => existsSync(join(modules, name)));

/** The folder `node_modules` with them, or null. Installs nothing. */
export function packageChecks() {
  const modules = join(cache(), 'node_modules');
  return isThere(modules) ? modules : null;
}

function install() {
  mkdirSync(cache(), { recursive: true });
  writeFileSync(join(cache(), 'package.json'), '{ "private": true }\n');
  const npm = join(dirname(process.execPath), 'npm');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PINNED];
  spawnSync(existsSync(npm) ? npm : 'npm', args, { cwd: cache(), stdio: ['ignore', 'ignore', 'inherit'] });
  return packageChecks();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = packageChecks() ?? install();
  console.log(found ?? 'publint and arethetypeswrong could not be had: their tests are skipped');
  process.exitCode = found === null ? 1 : 0;
}
