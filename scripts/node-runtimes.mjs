// Downloads the other supported Node versions into the cache, for the tests. Skips those that are there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAJORS = [20, 22, 24];

/** Every version, with the path of its program, installed or not. */
export const NODE_RUNTIMES = MAJORS.map((major) => {
  const own = process.versions.node.startsWith(`${major}.`);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', `node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  return { major, folder, name, binary: own ? process.execPath : join(folder, 'node_modules', name, 'bin', 'node') };
});

/** Returns whether it is installed now. */
export function installRuntime({ major, folder, name, binary }) {
  if (existsSync(binary)) return true;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const npm = join(dirname(process.execPath), 'npm');
  const { status } = spawnSync(
    existsSync(npm) ? npm : 'npm',
    ['install', `${name}@${major}`, '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return status === 0 && existsSync(binary);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const runtime of NODE_RUNTIMES) {
    if (!installRuntime(runtime)) console.log(`Node ${runtime.major} could not be had: the tests of the package on it are skipped`);
  }
}
