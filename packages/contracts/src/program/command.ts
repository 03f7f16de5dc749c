import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { shellWord } from '../text/shell-word.ts';
import { isProgram } from './programs.ts';

/** The command, as a file: in the runtime, and as whoever installs or links it names it. */
export const COMMAND_NAME = 'piton';

const COMMANDS =
  'init|status|doctor|uninstall|demo|ui|events|sessions|search|observations|agents|checkpoints|rewind|explain|blame|resume|handoff|export|clean|hooks|trust|untrust|lint|import|materialize|server|mcp|team|settings|redact|schema|completion|help';
/** Not what already says how it is run here. */
const HINT = new RegExp(`(?<![\\w/.-])(?<!\\bnpx )piton (?=(?:${COMMANDS})\\b)`, 'g');

/**
 * Every text of ours names a command as `piton …`. This puts in what runs it for the reader, so that it can be pasted. It is asked for
 * only where a text names one, with what stands behind.
 */
export function nameCommand(text: string, command: (behind: string) => string): string {
  HINT.lastIndex = 0;
  if (!HINT.test(text)) return text;
  return text.replace(HINT, (found, at: number) => `${command(text.slice(at + found.length))} `);
}

export interface Shell {
  /** `PATH`. */
  readonly path: string | undefined;
  /** `HOME`. */
  readonly userHome: string | undefined;
}

/** As a person would type it: with a tilde, and quoted where the shell needs it. */
export function pathInShell({ userHome }: Pick<Shell, 'userHome'>, path: string): string {
  const below = userHome && path.startsWith(`${userHome}/`) ? path.slice(userHome.length + 1) : undefined;
  return below !== undefined && shellWord(below) === below ? `~/${below}` : shellWord(path);
}

/** The command in the runtime of a home. It is there for as long as Piton is, whatever is on `PATH`. */
export const launcherIn = (home: string): string => join(home, 'runtime', 'current', COMMAND_NAME);

/** What runs the command of a home in this shell: `piton` if the first one on `PATH` is that one, or is as good; else the path of its launcher. */
export function commandOfHome(home: string, shell: Shell): string {
  const real = realPathOf(join(home, 'runtime'));
  if (real !== undefined && isOnPath(shell.path, real)) return COMMAND_NAME;
  return pathInShell(shell, launcherIn(home));
}

/** Where npm installs the package: it has the same commands. */
export const PACKAGE_FOLDER = '/node_modules/@piton/cli';

/** Does the first `piton` on PATH lie in `directory`, or in the package? `node_modules/.bin` does not count: npx and npm put it on PATH for one command only. */
export function isOnPath(path: string | undefined, directory: string): boolean {
  const directories = (path ?? '').split(delimiter).filter((each) => isAbsolute(each) && !each.endsWith('node_modules/.bin'));
  const first = directories.map((each) => join(each, COMMAND_NAME)).find((each) => isProgram(each));
  const program = first && realPathOf(first);
  return program !== undefined && (program.startsWith(`${directory}/`) || program.includes(`${PACKAGE_FOLDER}/`));
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
