import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { compareVersions } from '@piton/contracts';
import { homeDirectories } from '@piton/contracts/places';
import { shellPath, thisCommand } from '../command-name.ts';
import type { Context } from '../context.ts';
import { wrapRemedy } from '../output/wrap-remedy.ts';
import { buildIdIn, currentRuntime, versionIn } from './current.ts';
import { LAUNCHER_NAME } from './launcher.ts';

/** Those that change the runtime or report on it themselves, and those whose output nobody reads. */
const SILENT = new Set(['init', 'uninstall', 'doctor', 'demo', 'help', 'completion', 'candidates', 'mcp', 'ui-answers', 'reference']);

/** Says on stderr that agents run another build of Piton than this command, or that a newer command is installed beside this one. */
export function noteOtherBuild(context: Context, args: readonly string[]): void {
  const [command] = args;
  if (SILENT.has(command ?? '') || args.includes('--quiet') || args.includes('--help') || args.includes('-h')) return;
  const text = noteOf(context);
  if (text === undefined) return;
  const fitted = wrapRemedy(text, { width: context.width, used: 6, indent: '    ' });
  context.err(`${context.paint('yellow', 'note')}: ${fitted}\n`);
}

function noteOf(context: Context): string | undefined {
  const found = homeDirectories(context.env);
  if ('error' in found) return undefined;
  const runtime = join(realPath(found.home) ?? found.home, 'runtime');
  const current = join(runtime, 'current');
  const name = currentRuntime({ current });
  if (name === undefined) return undefined;
  return context.distribution.startsWith(`${runtime}/`) ? newerPackage(context, current) : otherRuntime(context, current, name);
}

function otherRuntime(context: Context, current: string, name: string): string | undefined {
  const here = buildIdIn(context.distribution);
  if (here === undefined || here === buildIdIn(current)) return undefined;
  const version = versionIn(name);
  const order = compareVersions(version, context.version);
  if (order > 0)
    return `your agents run Piton ${version}, which is newer than this command, ${context.version}. To update the command: npm install -g @piton/cli@${version}`;
  const older = order < 0 ? `Piton ${version}, and this is ${context.version}` : `another build of Piton ${version} than this command`;
  return `your agents still run ${older}. To move them to this one: ${thisCommand(context)} init`;
}

/** The link that `init --link` makes may come before npm's on PATH: a newer package would never be seen. */
function newerPackage(context: Context, current: string): string | undefined {
  for (const directory of (context.env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const program = realPath(join(directory, LAUNCHER_NAME));
    const distribution = program && dirname(program);
    if (distribution === undefined || !distribution.endsWith('/node_modules/@piton/cli')) continue;
    const version = packageVersion(distribution);
    if (version === undefined || compareVersions(version, context.version) <= 0 || buildIdIn(distribution) === buildIdIn(current)) continue;
    return `Piton ${version} is installed in ${directory}, and your agents still run ${context.version}. To move them: ${shellPath(context, join(directory, LAUNCHER_NAME))} init`;
  }
  return undefined;
}

function packageVersion(distribution: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(distribution, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
