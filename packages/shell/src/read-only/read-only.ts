import type { Call, Surroundings } from '../walk/state.ts';
import { walkCommand } from '../walk/walk.ts';
import { isReadingGit } from './git.ts';
import { isReadingProgram } from './programs.ts';

/** Where a redirection changes nothing. */
const NOWHERE: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty']);
/** Where a program that was written with its path is the system's. */
const SYSTEM = /^\/(?:usr\/(?:local\/)?)?bin\/[\w.+[-]+$/;
/** How a program prints, and no more. */
const PRINTING = /^(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|TERM)$/;
/** What a shell keeps may decide which program a later name starts: `PATH=.; ls`. Rather one look too many. */
const ASSIGNS = /(?:^|[\s;&|({])(?!(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|TERM)=)(?:[A-Z_][A-Z0-9_]*|f?path)\+?=/;

/** Whether every program that a command starts is known to change no file. False where that cannot be proved. */
export function isReadOnly(command: string, surroundings: Surroundings): boolean {
  if (ASSIGNS.test(command)) return false;
  const { calls, wrappers, lost } = walkCommand(command, surroundings);
  return !lost && calls.every(isReading) && wrappers.every(isMereWrapper);
}

/** Others start it elsewhere, as somebody else, or find another program under its name. */
const MERE: ReadonlySet<string> = new Set(['command', 'builtin', 'env', 'nice', 'ionice', 'time', 'timeout', 'stdbuf', 'noglob']);

function isMereWrapper({ program, path, args }: Pick<Call, 'program' | 'path' | 'args'>): boolean {
  const isSystems = path === undefined || SYSTEM.test(path);
  // `time -o` writes a file; `stdbuf -o` does not, and is not missed.
  return isSystems && MERE.has(program) && !args.some((arg) => /^(?:-\w*[oS]|--(?:output|split))/.test(arg));
}

function isReading(call: Call): boolean {
  const { program, path, writes, variables } = call;
  if (path !== undefined && !SYSTEM.test(path)) return false;
  if (!writes.every((file) => NOWHERE.has(file)) || !Object.keys(variables).every((name) => PRINTING.test(name))) return false;
  return program === 'git' ? isReadingGit(call) : isReadingProgram(call);
}
