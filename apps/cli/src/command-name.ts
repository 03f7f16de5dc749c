import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOnPath, nameCommand, PACKAGE_FOLDER, pathInShell } from '@piton/contracts/command';
import { homeDirectories } from '@piton/contracts/places';
import { isProgram } from '@piton/contracts/programs';
import type { Context } from './context.ts';
import { buildIdIn } from './runtime/current.ts';
import { LAUNCHER_NAME } from './runtime/launcher.ts';

/** Hints are written as `piton …`. This replaces `piton` with whatever runs it in this shell. */
export const withCommandName = (context: Context, text: string): string =>
  nameCommand(text, (behind) => (/^init\b/.test(behind) && runsAnotherBuild(context) ? thisCommand(context) : commandName(context)));

/** Then only this command can move agents to this build. */
function runsAnotherBuild(context: Context): boolean {
  const runtime = runtimeOf(context);
  const installed = runtime && buildIdIn(join(runtime, 'current'));
  return installed !== undefined && installed !== buildIdIn(context.distribution);
}

/** One call of npx, rather than an installation. */
const NPX = '/_npx/';

/** `piton` if the one on PATH is ours, else the launcher in the runtime, else the way this command was called. */
export function commandName(context: Context): string {
  const runtime = runtimeOf(context);
  if (runtime && isOnPath(context.env.PATH, runtime)) return 'piton';
  const launcher = runtime && join(runtime, 'current', LAUNCHER_NAME);
  if (launcher && isProgram(launcher)) return shellPath(context, launcher);
  return thisCommand(context);
}

/** The command that runs now, for what only this copy can do: install itself. */
export function thisCommand(context: Context): string {
  const { distribution, script, cwd, env } = context;
  const runtime = runtimeOf(context);
  if (runtime && distribution.startsWith(`${runtime}/`))
    return isOnPath(env.PATH, runtime) ? 'piton' : shellPath(context, join(runtime, 'current', LAUNCHER_NAME));
  if (distribution.endsWith(PACKAGE_FOLDER)) {
    if (distribution.includes(NPX)) return 'npx @piton/cli';
    if (isOnPath(env.PATH, distribution)) return 'piton';
  }
  const clone = dirname(distribution);
  const insideClone = cwd === clone || cwd.startsWith(`${clone}/`);
  if (existsSync(join(clone, 'node_modules')) && (insideClone || env.npm_command !== undefined)) return 'npx piton';
  return script.endsWith('/piton') ? shellPath(context, script) : `node ${shellPath(context, script)}`;
}

/** As a person would type it: with a tilde, and quoted where the shell needs it. */
export const shellPath = (context: Context, path: string): string => pathInShell({ userHome: context.env.HOME }, path);

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
