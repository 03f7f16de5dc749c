import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { shellWord } from '@piton/contracts';
import { homeDirectories } from '@piton/contracts/places';
import { isProgram } from '@piton/contracts/programs';
import type { Context } from './context.ts';
import { buildIdIn } from './runtime/current.ts';
import { LAUNCHER_NAME } from './runtime/launcher.ts';

const COMMANDS =
  'init|status|doctor|uninstall|demo|ui|events|sessions|search|observations|agents|checkpoints|rewind|explain|blame|resume|handoff|export|clean|hooks|trust|untrust|lint|import|materialize|server|mcp|team|settings|redact|schema|completion|help';
/** Not what already says how it is run here. */
const HINT = new RegExp(`(?<![\\w/.-])(?<!\\bnpx )piton (?=(?:${COMMANDS})\\b)`, 'g');

/** Hints are written as `piton …`. This replaces `piton` with whatever runs it in this shell. */
export function withCommandName(context: Context, text: string): string {
  HINT.lastIndex = 0;
  if (!HINT.test(text)) return text;
  const nameBefore = (rest: string): string =>
    /^init\b/.test(rest) && runsAnotherBuild(context) ? thisCommand(context) : commandName(context);
  return text.replace(HINT, (found, at: number) => `${nameBefore(text.slice(at + found.length))} `);
}

/** Then only this command can move agents to this build. */
function runsAnotherBuild(context: Context): boolean {
  const runtime = runtimeOf(context);
  const installed = runtime && buildIdIn(join(runtime, 'current'));
  return installed !== undefined && installed !== buildIdIn(context.distribution);
}

/** Where npm installs the package: globally, in a project, or for one call of npx. */
const PACKAGE = '/node_modules/@piton/cli';
const NPX = '/_npx/';

/** `piton` if the one on PATH is ours, else the launcher in the runtime, else the way this command was called. */
export function commandName(context: Context): string {
  const runtime = runtimeOf(context);
  if (runtime && onPath(context, runtime)) return 'piton';
  const launcher = runtime && join(runtime, 'current', LAUNCHER_NAME);
  if (launcher && isProgram(launcher)) return shellPath(context, launcher);
  return thisCommand(context);
}

/** The command that runs now, for what only this copy can do: install itself. */
export function thisCommand(context: Context): string {
  const runtime = runtimeOf(context);
  if (runtime && context.distribution.startsWith(`${runtime}/`))
    return onPath(context, runtime) ? 'piton' : shellPath(context, join(runtime, 'current', LAUNCHER_NAME));
  if (context.distribution.endsWith(PACKAGE)) {
    if (context.distribution.includes(NPX)) return 'npx @piton/cli';
    if (onPath(context, context.distribution)) return 'piton';
  }
  const clone = dirname(context.distribution);
  const insideClone = context.cwd === clone || context.cwd.startsWith(`${clone}/`);
  if (existsSync(join(clone, 'node_modules')) && (insideClone || context.env.npm_command !== undefined)) return 'npx piton';
  return context.script.endsWith('/piton') ? shellPath(context, context.script) : `node ${shellPath(context, context.script)}`;
}

/** As a person would type it: with a tilde, and quoted where the shell needs it. */
export function shellPath(context: Context, path: string): string {
  const home = context.env.HOME;
  const below = home && path.startsWith(`${home}/`) ? path.slice(home.length + 1) : undefined;
  return below !== undefined && shellWord(below) === below ? `~/${below}` : shellWord(path);
}

function runtimeOf(context: Context): string | undefined {
  const found = homeDirectories(context.env);
  if ('error' in found) return undefined;
  const runtime = join(found.home, 'runtime');
  try {
    return realpathSync(runtime);
  } catch {
    return undefined;
  }
}

/** Is the first `piton` on PATH in `directory`, or that of the package, which has the same commands? `node_modules/.bin` does not count: npx and npm put it on PATH for one command only. */
function onPath(context: Context, directory: string): boolean {
  const directories = (context.env.PATH ?? '').split(delimiter).filter((each) => isAbsolute(each) && !each.endsWith('node_modules/.bin'));
  const first = directories.map((each) => join(each, LAUNCHER_NAME)).find((each) => isProgram(each));
  try {
    const program = first && realpathSync(first);
    return program !== undefined && (program.startsWith(`${directory}/`) || program.includes(`${PACKAGE}/`));
  } catch {
    return false;
  }
}
