// Downloads the other supported Node versions into the cache, for the tests, and two that are too old. Skips those that are there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAJORS = [20, 22, 24];

/** Too old for Piton: the last that knows no modules, and one that knows them. */
const OLD_MAJORS = [6, 14];

/** Every version, with the path of its program, installed or not. */
const runtimeOf = (major) => {
  const own = process.versions.node.startsWith(`${major}.`);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', `node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  return { major, folder, name, binary: own ? process.execPath : join(folder, 'node_modules', name, 'bin', 'node') };
};
export const NODE_RUNTIMES = MAJORS.map(runtimeOf);
export const OLD_RUNTIMES = OLD_MAJORS.map(runtimeOf);

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

/** Takes `--node 22` out of the arguments: the runtime that it names, or an error, and what is left. */
export function takeNode(args) {
  const at = args.indexOf('--node');
  if (at < 0) return { rest: args };
  const runtime = NODE_RUNTIMES.find(({ major }) => String(major) === args[at + 1]);
  if (runtime === undefined) return { error: `--node takes one of ${MAJORS.join(', ')}`, rest: args };
  return { runtime, rest: args.toSpliced(at, 2) };
}

/** Runs this script again with that Node, which everything that it starts finds first. Returns the exit code. */
export function runAgain(runtime, script, args) {
  if (!installRuntime(runtime)) {
    console.error(`Node ${runtime.major} could not be installed`);
    return 1;
  }
  const env = { ...process.env, PATH: [dirname(runtime.binary), process.env.PATH].join(delimiter) };
  return spawnSync(runtime.binary, [script, ...args], { stdio: 'inherit', env }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const runtime of [...NODE_RUNTIMES, ...OLD_RUNTIMES]) {
    if (!installRuntime(runtime)) console.log(`Node ${runtime.major} could not be had: the tests of the package on it are skipped`);
  }
}
